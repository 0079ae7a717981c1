import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';

/** Formats the UTC day of an ISO 8601 time as `YYYY-MM-DD`. Returns an invalid time unchanged. */
export function formatDay(iso: string): string {
  return toUtc(iso)?.slice(0, 10) ?? iso;
}

/** Formats an ISO 8601 time as `YYYY-MM-DD HH:MM UTC`. Returns an invalid time unchanged. */
export function formatMinute(iso: string): string {
  const time = toUtc(iso);
  return time === null ? iso : `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}

function toUtc(iso: string): string | null {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

const UNITS = [
  ['minute', MINUTE_MS],
  ['hour', HOUR_MS],
  ['day', DAY_MS],
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
