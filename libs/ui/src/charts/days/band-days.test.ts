import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BandDay, layOutBand } from './band-days.tsx';
import { PLOT_WIDTH } from './day-layout.ts';

const HEIGHT = 192;

const band = fc
  .tuple(...Array.from({ length: 3 }, () => fc.double({ min: 1e-6, max: 1e6, noNaN: true })))
  .map((values) => {
    const [low = 1, middle = 1, high = 1] = values.sort((one, other) => one - other);
    return { low, middle, high };
  });
const bands = fc.array(fc.option(band, { nil: null }), { maxLength: 12 });

function toDays(list: readonly BandDay['band'][]): BandDay[] {
  return list.map((value, index) => ({ day: String(index), band: value }));
}

describe('layOutBand', () => {
  it('draws the band and its labels inside the drawing', () => {
    fc.assert(
      fc.property(bands, (list) => {
        const layout = layOutBand(toDays(list), HEIGHT);
        const points = [...`${layout.area}${layout.middle}`.matchAll(/(-?[\d.e-]+),(-?[\d.e-]+)/g)];
        for (const [, x, y] of points) {
          expect(Number(x)).toBeGreaterThanOrEqual(0);
          expect(Number(x)).toBeLessThanOrEqual(PLOT_WIDTH);
          expect(Number(y)).toBeGreaterThanOrEqual(0);
          expect(Number(y)).toBeLessThanOrEqual(HEIGHT);
        }
        for (const [index, { value, y }] of layout.ticks.entries()) {
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(HEIGHT);
          const below = layout.ticks[index - 1];
          if (below === undefined) continue;
          expect(value).toBeGreaterThan(below.value);
          expect(below.y - y).toBeGreaterThanOrEqual(26);
        }
      }),
    );
  });

  it('interrupts the band at each gap and marks days without a neighbor', () => {
    fc.assert(
      fc.property(bands, (list) => {
        const layout = layOutBand(toDays(list), HEIGHT);
        const runs = list
          .map((value) => (value === null ? ' ' : 'x'))
          .join('')
          .split(' ')
          .filter((run) => run !== '');
        expect(layout.area.match(/M/g) ?? []).toHaveLength(runs.length);
        expect(layout.isolated).toHaveLength(runs.filter((run) => run.length === 1).length);
        for (const { low, middle, high } of layout.isolated) {
          expect(low).toBeGreaterThanOrEqual(middle);
          expect(middle).toBeGreaterThanOrEqual(high);
        }
      }),
    );
  });

  it('prefers powers of ten as labels', () => {
    const { ticks } = layOutBand(toDays([{ low: 0.001, middle: 0.02, high: 10 }]), HEIGHT);
    expect(ticks.map(({ value }) => value)).toEqual([0.001, 0.01, 0.1, 1, 10]);
  });

  it('labels a range of less than a power of ten', () => {
    const { ticks } = layOutBand(toDays([{ low: 0.02, middle: 0.03, high: 0.06 }]), HEIGHT);
    expect(ticks.map(({ value }) => value)).toEqual([0.02, 0.05]);
  });
});
