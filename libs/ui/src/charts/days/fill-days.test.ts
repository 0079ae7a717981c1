import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillDays } from './fill-days.ts';

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
const dates = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2028-12-31T23:59:59Z'),
  noInvalidDate: true,
});

describe('fillDays', () => {
  it('returns each day of the period once, in order, and keeps the data of each day', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(dates.map(dayOf)),
        dates,
        fc.integer({ min: 0, max: 100 }),
        (known, until, count) => {
          const filled = fillDays(
            known.map((day) => ({ day })),
            until.toISOString(),
            count,
          );
          expect(filled).toHaveLength(count);
          const times = filled.map(({ day }) => Date.parse(day));
          for (const [index, time] of times.entries()) {
            if (index > 0) expect(time - (times[index - 1] ?? 0)).toBe(86_400_000);
          }
          if (count > 0) expect(filled.at(-1)?.day).toBe(dayOf(until));
          const kept = filled.flatMap(({ value }) => (value === null ? [] : [value.day]));
          const first = filled[0]?.day ?? '9';
          expect(kept).toEqual(known.filter((day) => day >= first && day <= dayOf(until)).sort());
        },
      ),
    );
  });

  it('puts null where a day is missing, across the end of a month', () => {
    const days = [
      { day: '2024-02-28', n: 1 },
      { day: '2024-03-01', n: 2 },
    ];
    expect(fillDays(days, 'today', 3)).toEqual([]);
    expect(fillDays(days, '2024-03-01', 4)).toEqual([
      { day: '2024-02-27', value: null },
      { day: '2024-02-28', value: days[0] },
      { day: '2024-02-29', value: null },
      { day: '2024-03-01', value: days[1] },
    ]);
  });
});
