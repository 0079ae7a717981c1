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

/**
 * Notice above the header of every page. The notice is a separate ARIA landmark, because it is outside the page frame.
 */
export function SiteNotice({ children }: { readonly children: string }) {
  return (
    <aside aria-label="About this site" className="border-b border-line bg-panel text-sm text-ink-soft">
      <p className="mx-auto max-w-7xl px-4 py-2 [overflow-wrap:anywhere] sm:px-6">{children}</p>
    </aside>
  );
}
