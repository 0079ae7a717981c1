import fc from 'fast-check';
import {
  HEALTHY_STATE,
  NUMBERS,
  NUMBER_IDS,
  type PlaygroundState,
  SWITCH_IDS,
  clampToField,
} from '../fields.ts';

const numbers = fc.record(
  Object.fromEntries(
    NUMBER_IDS.map((id) => {
      const { min, max } = NUMBERS[id];
      // Half of the generated values are the limits of the range, because errors are most likely there.
      const value = fc.oneof(fc.constantFrom(min, max), fc.double({ min, max, noNaN: true }));
      return [id, value.map((number) => clampToField(id, number) ?? min)];
    }),
  ),
);
const switches = fc.record(Object.fromEntries(SWITCH_IDS.map((id) => [id, fc.boolean()])));

/** Generator of arbitrary playground states. */
export const arbitraryState: fc.Arbitrary<PlaygroundState> = fc
  .tuple(numbers, switches)
  .map(([numberValues, switchValues]) => ({ ...HEALTHY_STATE, ...numberValues, ...switchValues }));
