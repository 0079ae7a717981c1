import type { Snapshot } from '@touchstone/store';
import type { PropsWithChildren, ReactNode } from 'react';

/** Props of the sections of an endpoint page. */
export interface EndpointProps {
  readonly snapshot: Snapshot;
}

/**
 * Section of an endpoint page.
 *
 * @param props.id Id of the section, for links.
 */
export function Section({ id, title, children }: PropsWithChildren<{ id: string; title: string }>) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="mt-3 min-w-0 scroll-mt-6 border-t border-line pt-2.5"
    >
      <h2 id={`${id}-title`} className="mb-1 text-xl leading-tight font-bold text-balance">
        {title}
      </h2>
      {children}
    </section>
  );
}

/**
 * Section of an endpoint page that is closed at first. A link to the section opens it, because the id is inside of
 * the closed part.
 *
 * @param props.id Id of the section, for links.
 * @param props.gist Most important content of the section, beside its title.
 */
export function ClosedSection({
  id,
  title,
  gist,
  children,
}: PropsWithChildren<{ id: string; title: string; gist: ReactNode }>) {
  return (
    <section aria-labelledby={`${id}-title`} className="mt-3 min-w-0 border-t border-line">
      <details>
        <summary className="cursor-pointer py-2 leading-tight">
          <h2 id={`${id}-title`} className="mr-3 inline text-xl font-bold">
            {title}
          </h2>
          <span className="text-sm text-ink-soft">{gist}</span>
        </summary>
        <div id={id} className="scroll-mt-14 pb-2">
          {children}
        </div>
      </details>
    </section>
  );
}
