import { DAY_MS, HOUR_MS, MINUTE_MS } from './constants.ts';

const UNITS = [
  ['minute', MINUTE_MS],
  ['hour', HOUR_MS],
  ['day', DAY_MS],
] as const;

/**
 * Formats a duration in its largest unit, such as "5 minutes" or "1 day". The script `times.js` of the pages has the same
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
