/** Formats milliseconds since the epoch as an ISO 8601 UTC string. */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** Formats a time in milliseconds since the epoch as an ISO 8601 UTC string; null without a time. */
export function formatTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : formatTimestamp(ms);
}

/** Formats a time in milliseconds since the epoch as its day in UTC, such as `2026-11-09`. */
export function formatDay(ms: number): string {
  return formatTimestamp(ms).slice(0, 10);
}

/** Formats a time in milliseconds since the epoch for people, to the minute: `2026-11-09 14:05 UTC`. */
export function formatMinute(ms: number): string {
  return `${formatTimestamp(ms).slice(0, 16).replace('T', ' ')} UTC`;
}
