/** The UTC day of an ISO 8601 time, `YYYY-MM-DD`; an unreadable time is given back as it is. */
export function formatDay(iso: string): string {
  return utc(iso)?.slice(0, 10) ?? iso;
}

/** An ISO 8601 time in UTC to the minute, `YYYY-MM-DD HH:MM UTC`; an unreadable time is given back as it is. */
export function formatMinute(iso: string): string {
  const time = utc(iso);
  return time === null ? iso : `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}

function utc(iso: string): string | null {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
