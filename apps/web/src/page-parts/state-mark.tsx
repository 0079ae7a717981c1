/**
 * Kind of a displayed state. The kind determines the color and the icon. Each kind has a different icon, so that color
 * is never the only difference.
 */
export type MarkKind = 'bad' | 'warn' | 'good' | 'info' | 'off';

const COLORS: Readonly<Record<MarkKind, string>> = {
  bad: 'text-bad',
  warn: 'text-warn',
  good: 'text-good',
  info: 'text-ink-soft',
  off: 'text-ink-soft',
};

/** Paths of the icons, in a square of 16 units. */
const SHAPES: Readonly<Record<MarkKind, string>> = {
  // Octagon with an exclamation mark.
  bad: 'M5 1h6l4 4v6l-4 4H5l-4-4V5zM7 4v5h2V4zm0 6v2h2v-2z',
  // Triangle with an exclamation mark.
  warn: 'M8 1l7 14H1zM7 6v5h2V6zm0 6v2h2v-2z',
  // Check mark.
  good: 'M2 8l2-2 3 3 6-6 2 2-8 8z',
  // Circle with an i.
  info: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM7 4v2h2V4zm0 3v5h2V7z',
  // Horizontal bar.
  off: 'M2 7h12v2H2z',
};

/** Icon and word of a state. */
export function StateMark({ kind, children }: { readonly kind: MarkKind; readonly children: string }) {
  return (
    <span className={`inline-flex items-baseline gap-1.5 font-semibold whitespace-nowrap ${COLORS[kind]}`}>
      <svg
        viewBox="0 0 16 16"
        className="size-4 shrink-0 self-center"
        fill="currentColor"
        fillRule="evenodd"
        aria-hidden="true"
      >
        <path d={SHAPES[kind]} />
      </svg>
      {children}
    </span>
  );
}
