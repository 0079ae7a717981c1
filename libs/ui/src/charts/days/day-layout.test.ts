import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DayValue,
  type LineOptions,
  PLOT_WIDTH,
  fillDays,
  layOutColumns,
  layOutLines,
  splitUptime,
} from './day-layout.ts';

const HEIGHT = 64;
/** Tolerance for rounded coordinates, in SVG units. */
const TOLERANCE = 0.02;

const values = fc.array(fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: null }), {
  maxLength: 15,
});

/** Lays out a single line. */
function layOutLine(days: readonly DayValue[], height: number, options?: LineOptions) {
  const [layout] = layOutLines([days], height, options).lines;
  if (layout === undefined) throw new Error('A line is missing.');
  return layout;
}

function toDays(list: readonly (number | null)[]) {
  return list.map((value, index) => ({ day: String(index), value }));
}

/** Returns the coordinates of all points of an SVG path with absolute coordinates. */
function listPoints(path: string): { x: number; y: number }[] {
  return [...path.matchAll(/(-?[\d.e-]+),(-?[\d.e-]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
}

describe('layOutColumns', () => {
  it('puts the bars of all days in order into the drawing, with gaps between them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (count) => {
        const columns = layOutColumns(count);
        expect(columns).toHaveLength(count);
        let end = -Infinity;
        for (const { x, width } of columns) {
          expect(width).toBeGreaterThan(0);
          expect(x).toBeGreaterThan(end);
          end = x + width;
        }
        expect(columns[0]?.x).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(PLOT_WIDTH + TOLERANCE);
      }),
    );
  });
});

describe('layOutColumns without a gap', () => {
  it('covers the drawing without gaps', () => {
    const cells = layOutColumns(7, 0);
    expect(cells).toHaveLength(7);
    for (const [index, { x, width }] of cells.entries())
      expect(x + width).toBeCloseTo(cells[index + 1]?.x ?? PLOT_WIDTH, 1);
  });
});

describe('splitUptime', () => {
  it('fills the whole bar and shows each failure', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (uptime) => {
        const { up, failed } = splitUptime(uptime, HEIGHT);
        expect((up?.height ?? 0) + (failed?.height ?? 0)).toBeCloseTo(HEIGHT, 1);
        expect(failed === null).toBe(uptime === 100);
        if (up !== null && failed !== null) {
          expect(failed.height).toBeGreaterThanOrEqual(4);
          expect(up.y).toBe(failed.height);
          expect(failed.y).toBe(0);
        }
      }),
    );
  });

  it('shows only failures at 0, and keeps values outside 0 to 100 inside the bar', () => {
    for (const uptime of [0, -5])
      expect(splitUptime(uptime, HEIGHT)).toEqual({ up: null, failed: { y: 0, height: HEIGHT } });
    expect(splitUptime(250, HEIGHT)).toEqual({ up: { y: 0, height: HEIGHT }, failed: null });
  });
});

describe('layOutLines', () => {
  it('draws every value inside the drawing, from left to right, and higher values higher', () => {
    fc.assert(
      fc.property(values, fc.constantFrom('line' as const, 'step' as const), (list, shape) => {
        const { points, path } = layOutLine(toDays(list), HEIGHT, { shape });
        expect(points.map(({ value }) => value)).toEqual(list.filter((value) => value !== null));
        for (const { x, y } of [...points, ...listPoints(path)]) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(PLOT_WIDTH);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(HEIGHT);
        }
        for (const [index, point] of points.entries()) {
          const next = points[index + 1];
          if (next === undefined) continue;
          expect(next.x).toBeGreaterThan(point.x);
          if (next.value > point.value) expect(next.y).toBeLessThanOrEqual(point.y);
          if (next.value < point.value) expect(next.y).toBeGreaterThanOrEqual(point.y);
        }
      }),
    );
  });

  it('interrupts the line at each gap and marks values without a neighbor', () => {
    fc.assert(
      fc.property(values, (list) => {
        const { path, isolated } = layOutLine(toDays(list), HEIGHT);
        const runs = list
          .map((value) => (value === null ? ' ' : 'x'))
          .join('')
          .split(' ')
          .filter((run) => run !== '');
        expect(path.match(/M/g) ?? []).toHaveLength(runs.length);
        expect(isolated).toHaveLength(runs.filter((run) => run.length === 1).length);
      }),
    );
  });

  it('draws the values in proportion to 0', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1, noNaN: true }), (share) => {
        const { points } = layOutLine(toDays([0, 300, 300 * share]), HEIGHT);
        const [zero = 0, full = 0, part = 0] = points.map(({ y }) => y);
        expect((zero - part) / (zero - full)).toBeCloseTo(share, 2);
      }),
    );
  });

  it('ends the scale at the maximum', () => {
    const draw = (list: number[]) =>
      layOutLine(toDays(list), HEIGHT, { maximum: 100 }).points.map(({ y }) => y);
    const [zero = 0, half = 0, full = 0] = draw([0, 50, 100]);
    expect(half).toBeCloseTo((zero + full) / 2, 1);
    expect(draw([50, 50])).toEqual([half, half]);
    expect(draw([250])).toEqual([full]);
  });

  it('draws a line of zeros at the bottom', () => {
    expect(layOutLine(toDays([0, 0]), HEIGHT).points.map(({ y }) => y)).toEqual([58, 58]);
  });

  it('draws all lines on one scale, with labels from 0 to a round number', () => {
    const { lines, ticks } = layOutLines([toDays([100, 200]), toDays([50, 312])], HEIGHT);
    expect(ticks.map(({ value }) => value)).toEqual([0, 200, 400]);
    const [first, second] = lines.map(({ points }) => points.map(({ y }) => y));
    expect(first?.[1]).toBe(ticks[1]?.y);
    expect(second?.[1]).toBeLessThan(first?.[1] ?? 0);
    expect(second?.[0]).toBeGreaterThan(first?.[0] ?? Infinity);
  });

  it('has no label without a value', () => {
    expect(layOutLines([toDays([null])], HEIGHT).ticks).toEqual([]);
  });
});

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
const dates = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2028-12-31T23:59:59Z'),
  noInvalidDate: true,
});

describe('fillDays', () => {
  it('returns each day from the first day with data once, in order, and keeps the data of each day', () => {
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
          expect(filled.length).toBeLessThanOrEqual(count);
          const times = filled.map(({ day }) => Date.parse(day));
          for (const [index, time] of times.entries()) {
            if (index > 0) expect(time - (times[index - 1] ?? 0)).toBe(86_400_000);
          }
          const first = dayOf(new Date(until.getTime() - (count - 1) * 86_400_000));
          const expected = known.filter((day) => day >= first && day <= dayOf(until)).sort();
          expect(filled.flatMap(({ value }) => (value === null ? [] : [value.day]))).toEqual(expected);
          expect(filled[0]?.day).toBe(expected[0]);
          if (expected.length > 0) expect(filled.at(-1)?.day).toBe(dayOf(until));
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
      { day: '2024-02-28', value: days[0] },
      { day: '2024-02-29', value: null },
      { day: '2024-03-01', value: days[1] },
    ]);
  });
});
