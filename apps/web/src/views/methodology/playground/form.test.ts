import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NUMBERS, NUMBER_IDS } from './fields.ts';
import { SLIDER_POSITIONS, toPosition, toValue } from './form.ts';

const logarithmic = NUMBER_IDS.filter((id) => NUMBERS[id].scale === 'log');

describe('slider scale', () => {
  it('reaches the minimum and the maximum of every field', () => {
    for (const id of NUMBER_IDS) {
      const { min, max } = NUMBERS[id];
      for (const end of [min, max]) expect(toValue(id, toPosition(id, end))).toBe(end);
    }
  });

  it('increases with the position', () => {
    for (const id of logarithmic) {
      const values = Array.from({ length: SLIDER_POSITIONS + 1 }, (_, position) => toValue(id, position));
      expect(values).toEqual([...values].sort((one, other) => one - other));
    }
  });

  it('keeps a value within 10 percent on a logarithmic scale', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...logarithmic),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (id, share) => {
          const value = Math.max(1, NUMBERS[id].min) + share * (NUMBERS[id].max - 1);
          const shown = toValue(id, toPosition(id, Math.min(NUMBERS[id].max, value)));
          expect(Math.abs(shown - value)).toBeLessThanOrEqual(Math.max(1, value * 0.1));
        },
      ),
    );
  });
});
