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
