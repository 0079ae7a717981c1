import { formatEntryPrice, type DocsTask } from './list-entries.ts';

/**
 * Contents of the API reference: every operation with its price, grouped by task. On a wide screen, the contents stay
 * beside the text, and fade out where they can be scrolled. On a narrow screen, they open above the text.
 *
 * @param props.sections Ids and titles of the other sections of the page.
 */
export function Contents({
  tasks,
  sections,
}: {
  readonly tasks: readonly DocsTask[];
  readonly sections: readonly (readonly [id: string, title: string])[];
}) {
  return (
    <nav
      aria-label="Contents"
      className="mt-8 text-sm lg:sticky lg:top-6 lg:mt-0 lg:max-h-[calc(100dvh-3rem)] lg:self-start lg:overflow-y-auto lg:mask-[linear-gradient(#000_calc(100%-3rem),transparent)] lg:pb-12 print:hidden"
    >
      <details className="lg:[&::details-content]:block lg:[&::details-content]:[content-visibility:visible]">
        <summary className="cursor-pointer py-2 text-base font-semibold lg:supports-[selector(::details-content)]:hidden">
          Contents
        </summary>
        <ul className="flex flex-wrap gap-x-4 lg:block">
          {sections.map(([id, title]) => (
            <li key={id}>
              <a href={`#${id}`} className="inline-block py-1.5 lg:py-1">
                {title}
              </a>
            </li>
          ))}
        </ul>
        {tasks.map(({ id, title, entries }) => (
          <div key={id} className="mt-4">
            <p className="font-semibold">
              <a href={`#${id}`} className="no-underline">
                {title}
              </a>
            </p>
            <ul className="mt-1">
              {entries.map((entry) => (
                <li key={entry.operation.id}>
                  <a
                    href={`#${entry.operation.id}`}
                    className="flex items-baseline justify-between gap-x-3 border-t border-line py-2 no-underline hover:underline lg:py-1.5"
                  >
                    <span>{entry.title}</span>
                    <span className="shrink-0 text-ink-soft tabular-nums">{formatEntryPrice(entry)}</span>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </details>
    </nav>
  );
}
