import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';

const UNITS = [
  { ms: DAY_MS, name: 'day' },
  { ms: HOUR_MS, name: 'hour' },
  { ms: MINUTE_MS, name: 'minute' },
] as const;

/** Formats a time for people, accurate to one minute: `2026-11-23 00:10 UTC`. */
export function formatTime(isoTime: string): string {
  return `${isoTime.slice(0, 10)} ${isoTime.slice(11, 16)} UTC`;
}

/** Formats a duration in its largest whole unit, such as `35 minutes`; below one minute `less than a minute`. */
export function formatDuration(ms: number): string {
  const unit = UNITS.find((each) => ms >= each.ms);
  if (unit === undefined) return 'less than a minute';
  const count = Math.floor(ms / unit.ms);
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`;
}
