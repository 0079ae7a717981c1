const UNITS = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
] as const;

/**
 * Formats a duration in its largest unit, such as "5 minutes" or "1 day". The script `age.js` of the pages has the same
 * formula.
 *
 * @param ms Duration in milliseconds.
 * @param round Rounding to whole units; by default, parts of a unit are cut off.
 */
export function formatDuration(ms: number, round: (units: number) => number = Math.floor): string {
  const found = UNITS.findLast(([, length]) => ms >= length);
  if (found === undefined) return 'less than a minute';
  const [unit, length] = found;
  const count = round(ms / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
