/** Touchstone logo: a stone with a streak of metal across it. */
export function Logo({ className }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true" focusable="false">
      <path d="M7 2h18l5 5v18l-5 5H7l-5-5V7z" className="fill-stone stroke-stone-line" strokeWidth="1.5" />
      <path d="M6.5 20.6 24.8 8.4l1.5 2.5L8.2 23.4z" className="fill-gold" />
      <path d="M10.4 24.6 26 14l.7 1.2-15.4 10.6z" className="fill-gold" opacity=".55" />
    </svg>
  );
}
