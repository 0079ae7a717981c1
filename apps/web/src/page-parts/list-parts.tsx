import type { ReactNode } from 'react';
import type { Snapshot } from '@touchstone/store';
import { Age, Timestamp } from '@touchstone/ui';

/**
 * Placeholder that is shown if there are no results.
 *
 * @param props.action Link or form to a page with results.
 */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: ReactNode;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="rounded-sm border border-stone-line bg-stone px-5 py-8 text-stone-ink sm:px-10 sm:py-10">
      <p className="text-xl font-semibold [overflow-wrap:anywhere]">{title}</p>
      <p className="mt-2 max-w-xl text-stone-soft">{children}</p>
      {action === undefined ? null : <div className="mt-4">{action}</div>}
    </div>
  );
}

/** Age of a list: the time of its newest score. The time of rendering cannot be used, because the page is cached. */
export function NewestScore({ snapshots }: { readonly snapshots: readonly Snapshot[] }) {
  const [newest] = snapshots
    .map(({ computedAt }) => computedAt)
    .sort((one, other) => Date.parse(other) - Date.parse(one));
  if (newest === undefined) return null;
  return (
    <>
      Newest score computed <Timestamp iso={newest} />
      {' · '}
      <Age iso={newest} />
    </>
  );
}
