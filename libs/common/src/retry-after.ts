import { DAY_MS } from './constants.ts';

/** Maximum pause for a `Retry-After` header, in milliseconds. Longer values count as one day. */
export const MAX_RETRY_AFTER_MS = DAY_MS;

/**
 * Day name at the beginning of the three HTTP date formats (RFC 9110, section 5.6.7). The day name is required,
 * because `Date.parse` alone accepts many other formats.
 */
const HTTP_DATE = /^(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?,? /;

function parseHttpDate(text: string | null): number | null {
  if (text === null || !HTTP_DATE.test(text)) return null;
  // The asctime format has no time zone and means UTC.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : at;
}

/** Header fields of one response, such as `Headers` of the Fetch API. */
export interface HeaderFields {
  /** Returns the value of a header field; null when the response does not have the field. */
  get(name: string): string | null;
}

/**
 * Parses the `Retry-After` header of a response (RFC 9110, section 10.2.3): a number of seconds, or an HTTP date. The
 * date is compared with the `Date` header of the response, because the clocks of two machines seldom agree.
 *
 * @param headers header fields of the response
 * @param now current time in milliseconds since the epoch, for a response without a `Date` header
 * @returns milliseconds to wait, from 0 to `MAX_RETRY_AFTER_MS`; null when the header is missing or malformed
 */
export function parseRetryAfter(headers: HeaderFields, now: number): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1_000, MAX_RETRY_AFTER_MS);
  const at = parseHttpDate(value);
  if (at === null) return null;
  const sentAt = parseHttpDate(headers.get('date')?.trim() ?? null) ?? now;
  return Math.min(Math.max(0, at - sentAt), MAX_RETRY_AFTER_MS);
}
