import type { ReactNode } from 'react';

/**
 * Placeholder for results, shown if there are none.
 *
 * @param props.action Link or form that leads on.
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
