import { CHANGE_KINDS, COMPLIANCE_VERDICTS } from '@touchstone/contract';
import fc from 'fast-check';
import { DAY_MS } from '@touchstone/common';
import { score } from '../score.ts';
import type { ScoreInputs, TermsChange, Verdict } from '../types.ts';

/** Current time of the tests, in milliseconds since the epoch. */
export const NOW = Date.UTC(2026, 5, 1);

/** Returns the time a number of days before `NOW`, in milliseconds since the epoch. */
export function toDaysAgo(days: number): number {
  return NOW - days * DAY_MS;
}

/**
 * Returns score inputs of an endpoint with the full 100 points: a month of successful probes, many payers, 200 days
 * old.
 */
export function createHealthyInputs(change: Partial<ScoreInputs> = {}): ScoreInputs {
  return {
    now: NOW,
    firstSeen: toDaysAgo(200),
    listed: true,
    templated: false,
    description: 'Weather by city',
    probes: { total: 1_440, scored: 1_440, up: 1_440, excluded: 0, blocked: 0, redirected: 0 },
    envelopes: { pass: 1_440, warnings: 0, errors: 0, unpayable: 0 },
    latency: { p50: 150, p95: 400, n: 1_440 },
    changes: [],
    everChallenged: true,
    answeredFree: false,
    lastProbedAt: NOW,
    downSince: null,
    lastChallengedAt: toDaysAgo(0.01),
    lastPayableAt: toDaysAgo(0.01),
    latestCompliance: 'pass',
    watchedSince: null,
    advertised: {
      amountUsd: '0.010000',
      network: 'eip155:8453',
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      falseUsdc: false,
      networkKnown: true,
      protocolVersion: 2,
    },
    medianPriceUsd30d: '0.010000',
    settlement: { volumeUsd30d: 20_000, payers30d: 150, topPayerShare: 0 },
    networksRead: 1,
    ...change,
  };
}

/** Returns score inputs of an endpoint that was never probed. */
export function createUnprobedInputs(change: Partial<ScoreInputs> = {}): ScoreInputs {
  return createHealthyInputs({
    probes: { total: 0, scored: 0, up: 0, excluded: 0, blocked: 0, redirected: 0 },
    envelopes: NO_ENVELOPES,
    latency: null,
    everChallenged: false,
    lastProbedAt: null,
    lastChallengedAt: null,
    lastPayableAt: null,
    latestCompliance: null,
    advertised: null,
    medianPriceUsd30d: null,
    settlement: null,
    networksRead: 0,
    ...change,
  });
}

export function withProbes(
  scored: number,
  up: number,
  rest: Partial<ScoreInputs['probes']> = {},
): Pick<ScoreInputs, 'probes'> {
  return { probes: { total: scored, scored, up, excluded: 0, blocked: 0, redirected: 0, ...rest } };
}

export function withAdvertised(
  change: Partial<NonNullable<ScoreInputs['advertised']>>,
): Pick<ScoreInputs, 'advertised'> {
  const { advertised } = createHealthyInputs();
  return { advertised: advertised && { ...advertised, ...change } };
}

export const NO_ENVELOPES = { pass: 0, warnings: 0, errors: 0, unpayable: 0 } as const;

/** Score inputs and a summary of the expected verdict. */
export interface Situation {
  readonly inputs: ScoreInputs;
  readonly score: number;
  readonly grade: string;
  readonly recommendation: string;
  readonly flags: readonly string[];
}

export function summarizeVerdict(inputs: ScoreInputs): Omit<Situation, 'inputs'> {
  const { score: points, grade, recommendation, flags } = score(inputs);
  return { score: points, grade, recommendation, flags: flags.map(({ slug }) => slug) };
}

export function findComponentValue({ components }: Verdict, name: string): number | null {
  return components.find(({ component }) => component === name)?.value ?? null;
}

const time = fc.integer({ min: NOW - 400 * DAY_MS, max: NOW + DAY_MS });
const maybeTime = fc.option(time);
const count = fc.integer({ min: 0, max: 1_500 });
const usd = fc.integer({ min: 0, max: 10_000_000 }).map((micro) => (micro / 1e6).toFixed(6));

const change: fc.Arbitrary<TermsChange> = fc.record({
  kind: fc.constantFrom(...CHANGE_KINDS),
  at: fc.integer({ min: NOW - 30 * DAY_MS, max: NOW }),
});

const probes: fc.Arbitrary<ScoreInputs['probes']> = fc
  .tuple(count, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(50), fc.nat(50), fc.nat(50))
  .map(([scored, share, excluded, blocked, redirected]) => ({
    total: scored + excluded + blocked,
    scored,
    up: Math.round(scored * share),
    excluded,
    blocked,
    redirected: Math.min(redirected, scored),
  }));

/** Arbitrary score inputs, including combinations that are unlikely for real endpoints. */
export const anyInputs: fc.Arbitrary<ScoreInputs> = fc
  .record({
    now: fc.constant(NOW),
    firstSeen: time,
    listed: fc.boolean(),
    templated: fc.boolean(),
    description: fc.option(fc.string()),
    probes,
    envelopes: fc.record({ pass: count, warnings: count, errors: count, unpayable: count }),
    latency: fc.option(
      fc
        .tuple(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 0, max: 9_999 }), count)
        .map(([p50, more, n]) => ({ p50, p95: Math.min(10_000, p50 + more), n })),
    ),
    changes: fc.array(change, { maxLength: 6 }),
    everChallenged: fc.boolean(),
    answeredFree: fc.boolean(),
    lastProbedAt: maybeTime,
    downSince: maybeTime,
    lastChallengedAt: maybeTime,
    lastPayableAt: maybeTime,
    latestCompliance: fc.constantFrom(...COMPLIANCE_VERDICTS, null),
    watchedSince: maybeTime,
    advertised: fc.option(
      fc.record({
        amountUsd: fc.option(usd),
        network: fc.constantFrom('eip155:8453', 'sapiom:main'),
        payTo: fc.string(),
        falseUsdc: fc.boolean(),
        networkKnown: fc.boolean(),
        protocolVersion: fc.constantFrom(1, 2, null),
      }),
    ),
    medianPriceUsd30d: fc.option(usd),
    settlement: fc.option(
      fc.record(
        {
          volumeUsd30d: fc.double({ min: 0, max: 1e6, noNaN: true }),
          payers30d: fc.nat(500),
          topPayerShare: fc.double({ min: 0, max: 1, noNaN: true }),
          partial: fc.constant(true),
        },
        { requiredKeys: ['volumeUsd30d', 'payers30d', 'topPayerShare'] },
      ),
    ),
    networksRead: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .chain((inputs) =>
    // Half of the generated inputs have no challenges, like most listed endpoints.
    fc
      .boolean()
      .map((hasNoChallenges) => (hasNoChallenges ? { ...inputs, envelopes: NO_ENVELOPES } : inputs)),
  );
