import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from './constants.ts';
import { parseRetryAfter } from './retry-after.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

function parse(fields: Record<string, string>): number | null {
  return parseRetryAfter(new Headers(fields), NOW);
}

describe('parseRetryAfter', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['86401', DAY_MS],
    ['999999999999', DAY_MS],
    ['9'.repeat(400), DAY_MS],
  ])('reads "%s" as seconds', (value, expected) => {
    expect(parse({ 'retry-after': value })).toBe(expected);
  });

  it.each(['Sat, 21 Nov 2026 12:01:00 GMT', 'Saturday, 21-Nov-26 12:01:00 GMT', 'Sat Nov 21 12:01:00 2026'])(
    'reads the HTTP date "%s"',
    (value) => {
      expect(parse({ 'retry-after': value })).toBe(60_000);
    },
  );

  it('compares a date with the Date header of the response', () => {
    const fields = { date: 'Sat, 21 Nov 2026 11:00:00 GMT', 'retry-after': 'Sat, 21 Nov 2026 11:00:30 GMT' };
    expect(parse(fields)).toBe(30_000);
  });

  it('limits a date in the far future to one day', () => {
    expect(parse({ 'retry-after': 'Sat, 21 Nov 2099 11:00:00 GMT' })).toBe(DAY_MS);
  });

  it('returns a pause of zero for a date in the past', () => {
    expect(parse({ 'retry-after': 'Fri, 20 Nov 2026 12:00:00 GMT' })).toBe(0);
  });

  it.each([
    ...['', '-1', '1.5', '1e3', '0x10', '120, 60', 'soon', '2026-11-21T12:01:00Z', '12 s'],
    ...['Sat, 99 Nov 2026'],
  ])('ignores "%s"', (value) => {
    expect(parse({ 'retry-after': value })).toBeNull();
  });

  it('returns null without the header', () => {
    expect(parse({})).toBeNull();
  });

  it('stays between 0 and one day for any header values', () => {
    const characters: string = '0123456789 :,-GMTSatunNov';
    const text = fc.string({ unit: fc.constantFrom(...characters) });
    fc.assert(
      fc.property(text, text, (retryAfter, date) => {
        const get = (name: string): string => (name === 'date' ? date : retryAfter);
        const ms = parseRetryAfter({ get }, NOW);
        expect(ms === null || (ms >= 0 && ms <= DAY_MS)).toBe(true);
      }),
    );
  });
});
