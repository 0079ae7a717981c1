/** Nobody is taken at a word that says "never": a day later it is asked again. */
const longestSeconds = 24 * 60 * 60;

function fieldOf(headers: Headers, wanted: string): string | null {
  const [, value] = headers.find(([name]) => name.toLowerCase() === wanted) ?? [];
  return value === undefined ? null : value.trim();
}

type Headers = readonly (readonly [name: string, value: string])[];

/** An HTTP date (RFC 9110, section 5.6.7) begins with the name of a day; `Date.parse` would take much more for one. */
const httpDate = /^(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?,? /;

function parseHttpDate(text: string | null): number | null {
  if (text === null || !httpDate.test(text)) return null;
  // The oldest of the three forms names no zone and means UTC.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : at;
}

/**
 * For how long a server asks not to be asked again (RFC 9110, section 10.2.3): a number of seconds, or a date, which is
 * read by the clock of the server where its answer has a `Date`, because two clocks seldom agree.
 *
 * @param headers - The raw header fields of the answer.
 * @param now - Milliseconds since the epoch, for an answer without a `Date`.
 * @returns Seconds from 0 to a day; null when nothing readable was said.
 */
export function readRetryAfter(headers: Headers, now: number): number | null {
  const said = fieldOf(headers, 'retry-after');
  if (said === null) return null;
  if (/^\d+$/.test(said)) return Math.min(Number(said), longestSeconds);
  const at = parseHttpDate(said);
  if (at === null) return null;
  const since = parseHttpDate(fieldOf(headers, 'date')) ?? now;
  return Math.min(Math.max(0, Math.ceil((at - since) / 1000)), longestSeconds);
}
