import fc from 'fast-check';
import { NUMBER_IDS, NUMBERS, SWITCH_IDS } from './fields.ts';
import { HEALTHY, settle, type PlaygroundState } from './state.ts';

const numbers = fc.record(
  Object.fromEntries(
    NUMBER_IDS.map((id) => {
      const { min, max } = NUMBERS[id];
      // Ends are what goes wrong first, so every other figure is one of them.
      const figure = fc.oneof(fc.constantFrom(min, max), fc.double({ min, max, noNaN: true }));
      return [id, figure.map((value) => settle(id, value) ?? min)];
    }),
  ),
);
const switches = fc.record(Object.fromEntries(SWITCH_IDS.map((id) => [id, fc.boolean()])));

/** Any state the playground can be in. */
export const anyState: fc.Arbitrary<PlaygroundState> = fc
  .tuple(numbers, switches)
  .map(([figures, facts]) => ({ ...HEALTHY, ...figures, ...facts }));
