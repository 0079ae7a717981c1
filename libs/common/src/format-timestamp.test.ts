import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDay, formatMinute } from './format-timestamp.ts';

describe('formatDay and formatMinute', () => {
  it('format a time in UTC', () => {
    expect(formatDay('2026-03-04T23:59:59.999Z')).toBe('2026-03-04');
    expect(formatMinute('2026-03-04T23:59:59.999Z')).toBe('2026-03-04 23:59 UTC');
  });

  it('convert a time of another zone to UTC', () => {
    expect(formatDay('2026-03-04T23:30:00-05:00')).toBe('2026-03-05');
    expect(formatMinute('2026-03-04T23:30:00-05:00')).toBe('2026-03-05 04:30 UTC');
  });

  it.each(['', 'yesterday', '2026-13-40'])('return the invalid time %j unchanged', (text) => {
    expect(formatDay(text)).toBe(text);
    expect(formatMinute(text)).toBe(text);
  });

  it('truncate seconds and never round up', () => {
    const date = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true });
    fc.assert(
      fc.property(date, (time) => {
        const shown = Date.parse(formatMinute(time.toISOString()).replace(' UTC', 'Z').replace(' ', 'T'));
        expect(time.getTime() - shown).toBeGreaterThanOrEqual(0);
        expect(time.getTime() - shown).toBeLessThan(60_000);
      }),
    );
  });
});
