import type { EcosystemEventKind } from '@touchstone/contract';

interface EventIconStyle {
  /** SVG path of the icon in a 16 by 16 drawing. Each kind has a different path, so that color is not the only sign. */
  readonly path: string;
  readonly tone: string;
}

const EVENT_ICONS: Readonly<Record<EcosystemEventKind, EventIconStyle>> = {
  // An arrow that leaves its line.
  'takeover-suspected': {
    path: 'M1.5 11.5h3.5l5-7h4.5M11.5 1.5l3 3-3 3M8.5 11.5h1.5M12 11.5h2.5',
    tone: 'text-bad',
  },
  // A line that rises steeply.
  'price-spike': { path: 'M1.5 12.5h5l3-3 4-7M10 3.5l3.5-1 1 3.5', tone: 'text-warn' },
  // A list whose last line is struck off.
  delisted: { path: 'M2 3.5h12M2 8h12M2 12.5h5M10 10.5l4 4M14 10.5l-4 4', tone: 'text-ink-soft' },
  // A signal that stops.
  outage: { path: 'M1.5 8h2.5l2-5 3 10 1-3M13 5.5v3M13 11v.5', tone: 'text-bad' },
};

/** Icon of a kind of events. The text beside it names the kind. */
export function EventIcon({
  kind,
  className = '',
}: {
  readonly kind: EcosystemEventKind;
  readonly className?: string;
}) {
  const { path, tone } = EVENT_ICONS[kind];
  return (
    <svg viewBox="0 0 16 16" className={`shrink-0 ${tone} ${className}`} aria-hidden="true" focusable="false">
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
