import type { ReactNode } from 'react';

/** The stone before anything was drawn across it: what a new service shows where results will be. */
export function NothingYet({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="rounded-sm border border-stone-line bg-stone px-6 py-10 text-stone-ink sm:px-10">
      <p className="text-xl font-semibold">{title}</p>
      <p className="mt-2 max-w-xl text-stone-soft">{children}</p>
    </div>
  );
}
