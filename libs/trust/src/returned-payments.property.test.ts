import fc from 'fast-check';
import { expect, test } from 'vitest';
import { score } from './score.ts';
import { anyInputs } from './testing/fixtures.ts';

test('the score never increases with more money sent back to payers', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const payer = fc.record({ paid: fc.integer({ min: 1, max: 1e9 }), more: share, less: share });
  type Payer = typeof payer extends fc.Arbitrary<infer Value> ? Value : never;
  const partial = fc.constantFrom({}, { partial: true });
  const sumKept = (payers: readonly Payer[], toReturnedShare: (payer: Payer) => number) => {
    const kept = payers.map((each) => each.paid - Math.floor(each.paid * toReturnedShare(each)));
    const volume = kept.reduce((sum, one) => sum + one, 0);
    const returned = payers.reduce((sum, { paid }) => sum + paid, 0) - volume;
    return {
      volumeUsd30d: volume / 1e6,
      ...(returned > 0 ? { returnedUsd30d: returned / 1e6 } : {}),
      payers30d: kept.filter((one) => one > 0).length,
      topPayerShare: volume === 0 ? null : Math.max(...kept) / volume,
    };
  };
  const payers = fc.array(payer, { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(anyInputs, payers, partial, (inputs, all, read) => {
      const more = sumKept(all, (one) => one.more);
      const less = sumKept(all, (one) => one.more * one.less);
      expect(score({ ...inputs, settlement: { ...less, ...read } }).score).toBeGreaterThanOrEqual(
        score({ ...inputs, settlement: { ...more, ...read } }).score,
      );
    }),
    { numRuns: 300 },
  );
});
