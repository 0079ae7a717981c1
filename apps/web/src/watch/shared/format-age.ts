const UNITS = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
] as const;

/**
 * Formats a duration in its largest unit, such as "5 minutes" or "1 day".
 *
 * @param round rounding to whole units; by default parts of a unit are cut off
 */
export function formatDuration(ms: number, round: (units: number) => number = Math.floor): string {
  const found = UNITS.findLast(([, length]) => ms >= length);
  if (found === undefined) return 'less than a minute';
  const [unit, length] = found;
  const count = round(ms / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/**
 * Formats the distance between a time and now, such as "5 minutes ago" or "in 12 days". A future time is rounded, so a
 * watch that was bought a minute ago ends "in 30 days".
 */
export function formatDistance(iso: string, now: number): string {
  const ms = Date.parse(iso) - now;
  return ms > 0 ? `in ${formatDuration(ms, Math.round)}` : `${formatDuration(-ms)} ago`;
}
