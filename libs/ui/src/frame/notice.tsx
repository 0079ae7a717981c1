import type { ReactNode } from 'react';

/** Notice with a title, for a fact that affects the meaning of the whole page. */
export function Notice({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div role="note" className="border-l-4 border-accent bg-panel px-4 py-3">
      <p className="font-semibold">{title}</p>
      <p className="text-ink-soft">{children}</p>
    </div>
  );
}
