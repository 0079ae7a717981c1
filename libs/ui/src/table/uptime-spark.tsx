import { splitUptime } from '../charts/days/day-layout.ts';

/** Distance between the middles of two bars, and width of a bar, in SVG units. */
const BAR_DISTANCE = 10;
const BAR_WIDTH = 8;
/** Height of the drawing in SVG units. */
const HEIGHT = 16;

/**
 * Daily uptime as small bars. The failed part of a day hangs from the top of its bar, in another color and with a gap to
 * the succeeded part. A day without a scored probe has no bar.
 *
 * @param props.days Percentages from 0 to 100, oldest first; null for a day without a scored probe.
 */
export function UptimeSpark({
  days,
  className = '',
}: {
  readonly days: readonly (number | null)[];
  readonly className?: string;
}) {
  let up = '';
  let failed = '';
  for (const [index, uptime] of days.entries()) {
    if (uptime === null) continue;
    const x = index * BAR_DISTANCE + BAR_DISTANCE / 2;
    const parts = splitUptime(uptime, HEIGHT);
    if (parts.up !== null) up += `M${x} ${HEIGHT}V${parts.failed === null ? 0 : parts.up.y + 1}`;
    if (parts.failed !== null) failed += `M${x} 0V${parts.failed.height}`;
  }
  return (
    <svg
      viewBox={`0 0 ${days.length * BAR_DISTANCE} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={className}
      role="img"
      aria-label={summarizeDays(days)}
    >
      <path d={up} className="stroke-edge" strokeWidth={BAR_WIDTH} />
      <path d={failed} className="stroke-bad" strokeWidth={BAR_WIDTH} />
    </svg>
  );
}

/** Returns the numbers of days with scored probes and without a failed probe, as a phrase. */
function summarizeDays(days: readonly (number | null)[]): string {
  const measured = days.filter((uptime) => uptime !== null);
  const faultless = measured.filter((uptime) => uptime >= 100).length;
  return `${measured.length} of ${days.length} days measured, ${faultless} without a failed probe`;
}
