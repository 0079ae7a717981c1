import type { PropsWithChildren } from 'react';

/**
 * Section of a long page.
 *
 * @param props.id Id of the section, for links.
 */
export function Section(props: PropsWithChildren<{ id: string; title: string; className?: string }>) {
  const { id, title, className = '', children } = props;
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={`scroll-mt-6 ${className}`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

/** Section of a page with several short subjects beside each other. */
export function Topic({ id, title, children }: PropsWithChildren<{ id?: string; title: string }>) {
  return (
    <section id={id} className="min-w-0 border-t-2 border-gold pt-4">
      <h2>{title}</h2>
      <div className="mt-2 space-y-3 text-ink-soft">{children}</div>
    </section>
  );
}
