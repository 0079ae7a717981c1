import type { Snapshot } from '@touchstone/store';
import type { PropsWithChildren } from 'react';

/** Props of the sections of an endpoint page. */
export interface EndpointProps {
  readonly snapshot: Snapshot;
}

/**
 * Section of an endpoint page. On a wide screen, its title is beside its content.
 *
 * @param props.id Id of the title, for links.
 */
export function Section({ id, title, children }: PropsWithChildren<{ id: string; title: string }>) {
  return (
    <section
      aria-labelledby={id}
      className="mt-10 border-t border-line pt-5 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-x-10"
    >
      <h2
        id={id}
        className="scroll-mt-6 text-2xl leading-tight font-bold text-balance max-lg:mb-3 lg:text-xl"
      >
        {title}
      </h2>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
