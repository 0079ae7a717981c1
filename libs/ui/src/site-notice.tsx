/** One line above everything that holds for the whole site; a landmark of its own, as it stands outside the page's. */
export function SiteNotice({ children }: { readonly children: string }) {
  return (
    <aside aria-label="About this site" className="border-b border-line bg-panel text-sm text-ink-soft">
      <p className="mx-auto max-w-7xl px-4 py-2 [overflow-wrap:anywhere] sm:px-6">{children}</p>
    </aside>
  );
}
