import type { ReactNode } from 'react';

/** A fact about the subject that changes how everything else on the page is to be read. */
export function Notice({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div role="note" className="border-l-4 border-accent bg-panel px-4 py-3">
      <p className="font-semibold">{title}</p>
      <p className="text-ink-soft">{children}</p>
    </div>
  );
}
