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
