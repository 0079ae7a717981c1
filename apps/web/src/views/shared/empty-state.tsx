import type { ReactNode } from 'react';

/** Placeholder for results, shown if there are none. */
export function EmptyState({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="rounded-sm border border-stone-line bg-stone px-6 py-10 text-stone-ink sm:px-10">
      <p className="text-xl font-semibold">{title}</p>
      <p className="mt-2 max-w-xl text-stone-soft">{children}</p>
    </div>
  );
}
