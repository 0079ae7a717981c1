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

/** Number of UTC days of the figures and charts of endpoints, with the current day. */
export const PERIOD_DAYS = 30;

/**
 * Formats the period of the figures of 30 days: `since 2026-11-14` if the first day with data is later than the first of
 * these days, and otherwise `last 30 days`.
 *
 * @param first First day with data, `YYYY-MM-DD`; undefined without data.
 * @param until Time of the figures, ISO 8601.
 */
export function formatPeriod(first: string | undefined, until: string): string {
  const start = formatDay(Date.parse(until) - (PERIOD_DAYS - 1) * 86_400_000);
  return first !== undefined && first > start ? `since ${first}` : `last ${PERIOD_DAYS} days`;
}

/** Formats a period of `formatPeriod` as a part of a sentence, such as "in the last 30 days". */
export function formatInPeriod(period: string): string {
  return period.startsWith('since') ? period : `in the ${period}`;
}

function toUtc(time: number | string): string | null {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
