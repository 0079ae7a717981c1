import fc from 'fast-check';
import { NOW } from './fixtures.ts';
import type { ScoreInputs } from '../types.ts';
import {
  foldHistory,
  type History,
  type EndpointFacts,
  type Stretch,
  type ChallengeTerms,
} from './probe-history.ts';
import type { ProbeFinding } from './probe-findings.ts';

const FINDINGS: readonly ProbeFinding[] = [
  ...(['pass', 'pass', 'warnings', 'errors', 'unpayable', 'data', 'gate'] as const),
  ...(['down', 'down', 'blocked', 'redirected', 'ours', 'away'] as const),
];

const terms: fc.Arbitrary<ChallengeTerms> = fc.record({
  microUsd: fc.constantFrom(1, 1_000, 10_000, 12_000, 200_000, 25_000_000),
  payTo: fc.constantFrom('treasury', 'other-wallet'),
  network: fc.constantFrom('eip155:8453', 'eip155:137'),
});

/**
 * Arbitrary number of consecutive probes with the same finding, from one probe to two weeks. Short, medium and long
 * stretches are equally likely.
 */
const slots = fc.oneof(
  fc.integer({ min: 1, max: 4 }),
  fc.integer({ min: 5, max: 96 }),
  fc.integer({ min: 97, max: 700 }),
);

const stretch: fc.Arbitrary<Stretch> = fc.record({
  slots,
  finding: fc.constantFrom(...FINDINGS),
  terms,
  latencyMs: fc.integer({ min: 20, max: 12_000 }),
});

export const anyHistory: fc.Arbitrary<History> = fc.array(stretch, { maxLength: 8 });

const advertised: fc.Arbitrary<ScoreInputs['advertised']> = fc.option(
  fc.record({
    amountUsd: fc.constantFrom('0.010000', null),
    network: fc.constantFrom('eip155:8453', 'sapiom:main'),
    asset: fc.constantFrom('usdc', null),
    payTo: fc.constantFrom('treasury', 'other-wallet', null),
    falseUsdc: fc.boolean(),
    falseUsdcAsset: fc.constantFrom('fake-usdc', null),
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
    .map((paid) => (paid.payers30d === 0 ? { ...paid, volumeUsd30d: 0, topPayerShare: null } : paid)),
);

export const anyEndpointFacts: fc.Arbitrary<EndpointFacts> = fc.record({
  now: fc.constant(NOW),
  listed: fc.boolean(),
  templated: fc.boolean(),
  description: fc.option(fc.string()),
  settlement,
  networksRead: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  advertised,
});

/** Probe history of an endpoint, and the facts about the endpoint that do not come from probes. */
export type EndpointHistory = readonly [history: History, known: EndpointFacts];

export const anyEndpointHistory: fc.Arbitrary<EndpointHistory> = fc.tuple(anyHistory, anyEndpointFacts);

export function foldEndpointHistory([history, known]: EndpointHistory): ScoreInputs {
  return foldHistory(history, known);
}
