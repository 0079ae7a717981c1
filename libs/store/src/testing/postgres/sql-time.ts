/** Start of the tests on PostgreSQL, in milliseconds since the epoch. */
const T0 = Date.parse('2026-11-01T00:00:00Z');

/** Returns the ISO 8601 time of the given number of seconds after the start of the tests. */
export function toTime(seconds: number): string {
  return new Date(T0 + seconds * 1000).toISOString();
}

/** Returns the time of the given number of seconds after the start of the tests, as an SQL expression. */
export function at(seconds: number): string {
  return `'${toTime(seconds)}'::timestamptz`;
}
