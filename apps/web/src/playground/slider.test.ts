import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NUMBER_IDS, NUMBERS } from './fields.ts';
import { POSITIONS, positionOf, valueAt } from './slider.ts';

const logarithmic = NUMBER_IDS.filter((id) => NUMBERS[id].scale === 'log');

describe('sliders', () => {
  it('reach both ends of every field', () => {
    for (const id of NUMBER_IDS) {
      const { min, max } = NUMBERS[id];
      for (const end of [min, max]) expect(valueAt(id, positionOf(id, end))).toBe(end);
    }
  });

  it('never go back when they are pushed on', () => {
    for (const id of logarithmic) {
      const values = Array.from({ length: POSITIONS + 1 }, (_, position) => valueAt(id, position));
      expect(values).toEqual([...values].sort((one, other) => one - other));
    }
  });

  it('stand on a logarithmic scale within a few percent of the figure', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...logarithmic),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (id, share) => {
          const figure = Math.max(1, NUMBERS[id].min) + share * (NUMBERS[id].max - 1);
          const shown = valueAt(id, positionOf(id, Math.min(NUMBERS[id].max, figure)));
          expect(Math.abs(shown - figure)).toBeLessThanOrEqual(Math.max(1, figure * 0.1));
        },
      ),
    );
  });
});
