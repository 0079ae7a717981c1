import fc from 'fast-check';
import { NOW } from './fixtures.ts';
import type { ScoreInputs } from '../types.ts';
import { fold, type History, type Known, type Seen, type Stretch, type Terms } from './probe-history.ts';

/** Generated lives of endpoints: weeks of probes in stretches, of which the longer lie partly outside the window. */

const KINDS: readonly Seen[] = [
  ...(['pass', 'pass', 'warnings', 'errors', 'unpayable', 'data', 'gate'] as const),
  ...(['down', 'down', 'blocked', 'redirected', 'ours', 'away'] as const),
];

const terms: fc.Arbitrary<Terms> = fc.record({
  microUsd: fc.constantFrom(1, 1_000, 10_000, 12_000, 200_000, 25_000_000),
  payTo: fc.constantFrom('treasury', 'stranger'),
  network: fc.constantFrom('eip155:8453', 'eip155:137'),
});

/** From a single probe to two weeks, short ones as likely as long. */
const slots = fc.oneof(
  fc.integer({ min: 1, max: 4 }),
  fc.integer({ min: 5, max: 96 }),
  fc.integer({ min: 97, max: 700 }),
);

const stretch: fc.Arbitrary<Stretch> = fc.record({
  slots,
  seen: fc.constantFrom(...KINDS),
  terms,
  latencyMs: fc.integer({ min: 20, max: 12_000 }),
});

export const anyHistory: fc.Arbitrary<History> = fc.array(stretch, { maxLength: 8 });

const advertised: fc.Arbitrary<ScoreInputs['advertised']> = fc.option(
  fc.record({
    amountUsd: fc.constantFrom('0.010000', null),
    network: fc.constantFrom('eip155:8453', 'sapiom:main'),
    payTo: fc.constantFrom('treasury', 'stranger'),
    falseUsdc: fc.boolean(),
    networkKnown: fc.boolean(),
    protocolVersion: fc.constantFrom(1, 2, null),
  }),
);

const settlement: fc.Arbitrary<ScoreInputs['settlement']> = fc.option(
  fc
    .record({
      volumeUsd30d: fc.double({ min: 0, max: 1e6, noNaN: true }),
      payers30d: fc.nat(500),
      topPayerShare: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map((paid) => (paid.payers30d === 0 ? { ...paid, volumeUsd30d: 0, topPayerShare: 0 } : paid)),
);

export const anyKnown: fc.Arbitrary<Known> = fc.record({
  now: fc.constant(NOW),
  listed: fc.boolean(),
  templated: fc.boolean(),
  description: fc.option(fc.string()),
  settlement,
  networksRead: fc.double({ min: 0, max: 1, noNaN: true }),
  advertised,
});

/** A history, and what else is known of the endpoint. */
export type Life = readonly [history: History, known: Known];

export const anyLife: fc.Arbitrary<Life> = fc.tuple(anyHistory, anyKnown);

export function inputsOf([history, known]: Life): ScoreInputs {
  return fold(history, known);
}
