const UNITS = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
] as const;

/** Formats a duration in its largest unit, such as "5 minutes" or "1 day". Parts of a unit are cut off. */
export function formatDuration(ms: number): string {
  const found = UNITS.findLast(([, length]) => ms >= length);
  if (found === undefined) return 'less than a minute';
  const [unit, length] = found;
  const count = Math.floor(ms / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Formats the distance between a time and now, such as "5 minutes ago" or "in 12 days". */
export function formatDistance(iso: string, now: number): string {
  const ms = Date.parse(iso) - now;
  return ms > 0 ? `in ${formatDuration(ms)}` : `${formatDuration(-ms)} ago`;
}
