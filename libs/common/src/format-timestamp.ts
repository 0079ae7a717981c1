/** Formats milliseconds since the epoch as an ISO 8601 UTC string. */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** Formats a time in milliseconds since the epoch as an ISO 8601 UTC string; null without a time. */
export function formatTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : formatTimestamp(ms);
}

/**
 * Formats the UTC day of a time as `YYYY-MM-DD`. Returns an invalid time unchanged.
 *
 * @param time Milliseconds since the epoch, or an ISO 8601 time.
 */
export function formatDay(time: number | string): string {
  return toUtc(time)?.slice(0, 10) ?? String(time);
}

/**
 * Formats a time to the minute as `YYYY-MM-DD HH:MM UTC`. Returns an invalid time unchanged.
 *
 * @param time Milliseconds since the epoch, or an ISO 8601 time.
 */
export function formatMinute(time: number | string): string {
  const utc = toUtc(time);
  return utc === null ? String(time) : `${utc.slice(0, 10)} ${utc.slice(11, 16)} UTC`;
}

function toUtc(time: number | string): string | null {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
