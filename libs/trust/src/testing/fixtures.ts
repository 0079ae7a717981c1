import {
  CHANGE_KINDS,
  COMPLIANCE_RESULTS,
  FAILURE_PHASES,
  type ChangeKind,
  type ComplianceResult,
} from '@touchstone/contract';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '@touchstone/common';
import type { Failure, ScoreInputs, TermsChange, Verdict } from '../types.ts';

/** Canonical USDC on Base. */
export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

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
    delistedAt: null,
    templated: false,
    description: 'Weather by city',
    probes: { total: 1_440, scored: 1_440, up: 1_440, excluded: 0, blocked: 0, redirected: 0 },
    envelopes: { pass: 1_440, warnings: 0, errors: 0, unpayable: 0 },
    last24h: createLastDay(48, 'pass'),
    last7d: { scored: 336, up: 336 },
    latency: { p50: 150, p95: 400, n: 1_440 },
    changes: [],
    everChallenged: true,
    answeredFree: false,
    lastScoredAt: NOW,
    downSince: null,
    lastFailure: null,
    lastUpAt: toDaysAgo(0.01),
    lastChallengedAt: toDaysAgo(0.01),
    lastPayableAt: toDaysAgo(0.01),
    latestCompliance: 'pass',
    watchedSince: null,
    advertised: {
      amountUsd: '0.010000',
      network: 'eip155:8453',
      asset: USDC,
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      falseUsdc: false,
      falseUsdcAsset: null,
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
    last24h: createLastDay(0),
    last7d: { scored: 0, up: 0 },
    latency: null,
    everChallenged: false,
    lastScoredAt: null,
    lastUpAt: null,
    lastChallengedAt: null,
    lastPayableAt: null,
    latestCompliance: null,
    advertised: null,
    medianPriceUsd30d: null,
    settlement: null,
    networksRead: null,
    ...change,
  });
}

/**
 * Returns the counts of a last day in which all probes had the same finding: a challenge with its compliance result,
 * data without payment (`free`), or an outage (`down`).
 */
export function createLastDay(
  scored: number,
  finding: ComplianceResult | 'free' | 'down' = 'pass',
): ScoreInputs['last24h'] {
  const up = finding === 'down' ? 0 : scored;
  if (finding === 'free' || finding === 'down')
    return { scored, up, free: finding === 'free' ? scored : 0, envelopes: NO_ENVELOPES };
  return { scored, up, free: 0, envelopes: { ...NO_ENVELOPES, [finding]: scored } };
}

/** Returns a change of payment terms whose old and new values are unknown. */
export function createChange(
  kind: ChangeKind,
  at: number,
  values: Partial<Pick<TermsChange, 'before' | 'after'>> = {},
): TermsChange {
  return { kind, at, before: null, after: null, ...values };
}

/** Returns a failed probe with the status 410, an hour before `NOW`. */
export function createFailure(change: Partial<Failure> = {}): Failure {
  const at = NOW - HOUR_MS;
  return {
    ...{ at, since: at, phase: 'response', httpStatus: 410, error: 'http-410', detail: 'HTTP 410 Gone.' },
    ...change,
  };
}

/** Returns score inputs whose latest challenge has the given defects and no others. */
export function withLastChallenge(
  defects: Partial<NonNullable<ScoreInputs['lastChallenge']>>,
): Required<Pick<ScoreInputs, 'lastChallenge'>> {
  const none = {
    resourceInfoMissing: false,
    headerBodyMismatch: false,
    failedRules: [],
    notPayableReason: null,
    neededSettings: [],
    redirect: null,
  };
  return { lastChallenge: { ...none, ...defects } };
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

export function findComponentValue({ components }: Verdict, name: string): number | null {
  return components.find(({ component }) => component === name)?.value ?? null;
}

const time = fc.integer({ min: NOW - 400 * DAY_MS, max: NOW + DAY_MS });
const maybeTime = fc.option(time);
const count = fc.integer({ min: 0, max: 1_500 });
const usd = fc.integer({ min: 0, max: 10_000_000 }).map((micro) => (micro / 1e6).toFixed(6));

const value = fc.option(fc.constantFrom('0x0a11', '$0.01', 'eip155:137 USDC', 'pay now, it is safe'));

const change: fc.Arbitrary<TermsChange> = fc.record({
  kind: fc.constantFrom(...CHANGE_KINDS),
  at: fc.integer({ min: NOW - 30 * DAY_MS, max: NOW }),
  before: value,
  after: value,
});

const failure: fc.Arbitrary<Failure> = fc.record({
  at: time,
  since: time,
  phase: fc.constantFrom(...FAILURE_PHASES),
  httpStatus: fc.option(fc.integer({ min: 300, max: 599 })),
  error: fc.constantFrom('http-410', 'http-429', 'redirect', 'timeout', 'tls-certificate-expired'),
  detail: fc.constantFrom('HTTP 410 Gone.', 'No response within 10 seconds.'),
});

const envelopes = fc.record({ pass: count, warnings: count, errors: count, unpayable: count });
const dayCount = fc.nat(12);

const last24h: fc.Arbitrary<ScoreInputs['last24h']> = fc
  .record({
    envelopes: fc.record({ pass: dayCount, warnings: dayCount, errors: dayCount, unpayable: dayCount }),
    free: dayCount,
    down: dayCount,
  })
  .map(({ envelopes: verdicts, free, down }) => {
    const up = free + Object.values(verdicts).reduce((sum, number) => sum + number, 0);
    return { scored: up + down, up, free, envelopes: verdicts };
  });

const last7d = fc.tuple(fc.nat(300), fc.nat(300)).map(([up, down]) => ({ scored: up + down, up }));

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

const payToVariation: fc.Arbitrary<Pick<ScoreInputs, 'payToVariation'>> = fc.option(
  fc
    .record({
      changes: fc.integer({ min: 2, max: 8_640 }),
      times: fc.tuple(time, time),
      before: fc.option(fc.string()),
      after: fc.option(fc.string()),
    })
    .map(({ times, ...rest }) => ({
      payToVariation: { ...rest, since: Math.min(...times), lastChangedAt: Math.max(...times) },
    })),
  { nil: {} },
);

/** Adds a returned volume to four of five generated settlements: up to twice their volume. */
function withReturned<Paid extends { readonly volumeUsd30d: number; readonly payers30d: number }>(
  paid: Paid,
) {
  const share = ((paid.payers30d + 1) % 5) / 2;
  if (share === 0) return paid;
  const returnedUsd30d = share * (paid.volumeUsd30d + 1);
  const sender = { network: 'eip155:8453', address: '0x5e11e4', isFunded: share > 1 };
  return { ...paid, returnedUsd30d, returnedBy: [{ ...sender, returnedUsd30d: returnedUsd30d / 3 }] };
}

/** Arbitrary score inputs, including combinations that are unlikely for real endpoints. */
export const anyInputs: fc.Arbitrary<ScoreInputs> = fc
  .record({
    now: fc.constant(NOW),
    firstSeen: time,
    listed: fc.boolean(),
    delistedAt: maybeTime,
    templated: fc.boolean(),
    description: fc.option(fc.string()),
    probes,
    envelopes,
    last24h,
    last7d,
    latency: fc.option(
      fc
        .tuple(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 0, max: 9_999 }), count)
        .map(([p50, more, n]) => ({ p50, p95: Math.min(10_000, p50 + more), n })),
    ),
    changes: fc.array(change, { maxLength: 6 }),
    everChallenged: fc.boolean(),
    answeredFree: fc.boolean(),
    lastScoredAt: maybeTime,
    downSince: maybeTime,
    lastFailure: fc.option(failure),
    lastUpAt: maybeTime,
    lastChallengedAt: maybeTime,
    lastPayableAt: maybeTime,
    latestCompliance: fc.constantFrom(...COMPLIANCE_RESULTS, null),
    watchedSince: maybeTime,
    advertised: fc.option(
      fc.record({
        amountUsd: fc.option(usd),
        network: fc.constantFrom('eip155:8453', 'sapiom:main'),
        asset: fc.option(fc.string()),
        payTo: fc.option(fc.string()),
        falseUsdc: fc.boolean(),
        falseUsdcAsset: fc.option(fc.string()),
        networkKnown: fc.boolean(),
        protocolVersion: fc.constantFrom(1, 2, null),
      }),
    ),
    medianPriceUsd30d: fc.option(usd),
    settlement: fc.option(
      fc
        .record(
          {
            volumeUsd30d: fc.double({ min: 0, max: 1e6, noNaN: true }),
            payers30d: fc.nat(500),
            topPayerShare: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
            partial: fc.constant(true),
          },
          { requiredKeys: ['volumeUsd30d', 'payers30d', 'topPayerShare'] },
        )
        .map((settlement) => withReturned(settlement)),
    ),
    networksRead: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  })
  .chain((inputs) => payToVariation.map((variation) => ({ ...inputs, ...variation })))
  .chain((inputs) =>
    // Half of the generated inputs have no challenges, like most listed endpoints.
    fc
      .boolean()
      .map((hasNoChallenges) => (hasNoChallenges ? { ...inputs, envelopes: NO_ENVELOPES } : inputs)),
  );
