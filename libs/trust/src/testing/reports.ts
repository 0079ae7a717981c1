import fc from 'fast-check';
import type { ComplianceResult, TrustReport } from '@touchstone/contract';
import { countChallenges } from '../endpoint-state.ts';
import { assembleReport, type ReportFreshness, type ReportOptions } from '../report/assemble-report.ts';
import { toPublishableInputs } from '../report/report-inputs.ts';
import type { PayOn, ReportFigures, ScoredSource } from '../report/scored-source.ts';
import { anyDelivery, createDelivery, createPurchase } from './deliveries.ts';
import { anyInputs, createChange, createHealthyInputs, NOW, USDC, withLastChallenge } from './fixtures.ts';
import type { ScoreInputs } from '../types.ts';

const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';

/** Returns a payment option with the values that the score inputs advertise. */
function createOption({ advertised }: ScoreInputs): PayOn {
  const { network = 'eip155:8453', asset = USDC, payTo = PAY_TO } = advertised ?? {};
  const option = { scheme: 'exact', network, asset: asset ?? '', assetSymbol: 'USDC', decimals: 6 };
  return { ...option, amount: '10000', amountUsd: '0.010000', payTo: payTo ?? '' };
}

function createFigures(inputs: ScoreInputs): ReportFigures {
  const { now, latency, probes, lastScoredAt, lastFailure, settlement } = inputs;
  return {
    firstByteMsP50: 140,
    firstByteMsP95: 380,
    responseMsP99: Math.max(700, latency?.p95 ?? 0),
    responseMsMean: 171,
    lowestPriceUsd: '0.010000',
    highestPriceUsd: '0.020000',
    lastProbedAt: findLatest(lastScoredAt, lastFailure?.at ?? null),
    termsAt: now,
    payToDistinct30d: 1,
    challengeHash: null,
    complianceAt: now,
    // All failed probes have the cause of the latest failure.
    causes30d: lastFailure === null ? {} : { [lastFailure.error]: Math.max(0, probes.total - probes.up) },
    settlement: {
      payTo: PAY_TO,
      network: 'eip155:8453',
      settlements30d: 4_200,
      repeatPayers30d: Math.min(21, settlement?.payers30d ?? 0),
      lastSettledAt: now,
      throughBlock: 31_337_000,
      wallets: [],
    },
  };
}

/** Changes of a scored source, of its figures, and of the options of its report. */
export interface SourceChange extends Partial<Omit<ScoredSource, 'facts' | 'inputs'>> {
  readonly facts?: Partial<ReportFigures>;
  readonly options?: Partial<ReportOptions>;
}

/** Returns a scored source with figures that are consistent with the score inputs. */
export function createSource(
  inputs: ScoreInputs,
  { facts, ...change }: Omit<SourceChange, 'options'> = {},
): ScoredSource {
  const scored = toPublishableInputs(inputs);
  return {
    endpoint: {
      id: 'abcdefghij',
      resource: 'https://api.example.com/v1/weather',
      slug: 'api-example-com-weather-abcdefghij',
      templated: false,
      serviceName: 'Weather',
      source: 'directory',
    },
    payOn: [createOption(scored)],
    inputs: scored,
    facts: { ...createFigures(scored), ...facts },
    challenge: {
      version: 2,
      passed: ['v2-resource-url'],
      failed: [
        {
          id: 'v2-description',
          axis: 'discoverable',
          severity: 'warning',
          message: 'The challenge has no description.',
        },
      ],
    },
    sharedWith: ['https://other.example/a', 'https://third.example/b'],
    ...change,
  };
}

function findLatest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/** Returns the freshness of a report whose live probe confirmed the stored payment terms. */
export function createLiveFreshness(probedAt: number | null): ReportFreshness {
  return {
    ...{ live: true, probedAt, liveProbeMs: 212, outcome: 'challenged', httpStatus: 402, confirms: true },
    detail: 'The endpoint sent a payment challenge (HTTP 402) with the stored payment terms.',
  };
}

/** Creates a report on an endpoint that was probed for the report. */
export function createReport(inputs: ScoreInputs, { options, ...change }: SourceChange = {}): TrustReport {
  return assembleReport(createSource(inputs, change), {
    baseUrl: 'https://touchstone.example',
    vantage: 'eu',
    generatedAt: inputs.now + 1_500,
    freshness: createLiveFreshness(inputs.now),
    ...options,
  });
}

/** Score inputs in which nearly every field has a value, including the optional fields. */
export const FULL_INPUTS: ScoreInputs = createHealthyInputs({
  changes: [
    createChange('price_change', NOW - 86_400_000, { before: '$0.01', after: '$0.02' }),
    createChange('payto_change', NOW - 12 * 86_400_000, { before: '0xold', after: PAY_TO }),
  ],
  watchedSince: NOW - 40 * 86_400_000,
  payToSharedWith: 2,
  payToSharedOnHost: 12,
  ...createDelivery([createPurchase('delivered', 2), createPurchase('late', 9)], { delivered: 4, failed: 1 }),
  ...withLastChallenge({ resourceInfoMissing: true }),
  settlement: { volumeUsd30d: 1_234.56, payers30d: 37, topPayerShare: 0.25 },
});

/**
 * Makes score inputs consistent: no more challenges than probes, no volume without a payer, and no more probes in a
 * period than in a longer period.
 */
function toConsistentInputs(inputs: ScoreInputs): ScoreInputs {
  const { probes, envelopes, settlement, last24h } = inputs;
  const share = Math.min(1, probes.total / Math.max(1, countChallenges(envelopes)));
  const month = mapEnvelopes((name) => Math.floor(envelopes[name] * share));
  const last7d = limitPeriod(inputs.last7d, probes);
  return {
    ...inputs,
    envelopes: month,
    last7d,
    last24h: {
      ...limitPeriod(last24h, last7d),
      free: last24h.free,
      envelopes: mapEnvelopes((name) => Math.min(last24h.envelopes[name], month[name])),
    },
    answeredFree: inputs.answeredFree || last24h.free > 0,
    settlement: settlement && toConsistentSettlement(settlement),
  };
}

function toConsistentSettlement(
  settlement: NonNullable<ScoreInputs['settlement']>,
): NonNullable<ScoreInputs['settlement']> {
  return settlement.payers30d === 0
    ? { ...settlement, volumeUsd30d: 0, topPayerShare: null }
    : { ...settlement, topPayerShare: settlement.topPayerShare ?? 0.5 };
}

function mapEnvelopes(toCount: (name: ComplianceResult) => number): ScoreInputs['envelopes'] {
  return {
    pass: toCount('pass'),
    warnings: toCount('warnings'),
    errors: toCount('errors'),
    unpayable: toCount('unpayable'),
  };
}

function limitPeriod(
  period: ScoreInputs['last7d'],
  longer: Pick<ScoreInputs['probes'], 'scored' | 'up'>,
): ScoreInputs['last7d'] {
  const up = Math.min(period.up, longer.up);
  return { up, scored: Math.max(up, Math.min(period.scored, longer.scored)) };
}

/** Arbitrary consistent score inputs, including the optional fields that `anyInputs` leaves out. */
export const allInputs: fc.Arbitrary<ScoreInputs> = fc
  .record({
    inputs: anyInputs,
    delivery: fc.option(anyDelivery),
    shared: fc.option(fc.nat(20)),
    challenge: fc.option(
      fc.record({
        resourceInfoMissing: fc.boolean(),
        headerBodyMismatch: fc.boolean(),
        failedRules: fc.subarray(['v2-accepts', 'v2-extra']),
        notPayableReason: fc.constantFrom('The EIP-712 domain name must be USDC.', null),
        neededSettings: fc.array(
          fc.record({
            kind: fc.constantFrom('amount', 'token', 'scheme'),
            setting: fc.constantFrom('spendControls.maxAmountPerPayment of at least $25', 'a'.repeat(400)),
          }),
          { maxLength: 3 },
        ),
        redirect: fc.option(
          fc.record({
            status: fc.constantFrom(301, 307),
            target: fc.constantFrom('https://api.example.com/v2', `https://other.example/${'a'.repeat(300)}`),
            otherOrigin: fc.boolean(),
          }),
        ),
      }),
    ),
  })
  .map(({ inputs, delivery, shared, challenge }) => ({
    ...toConsistentInputs(inputs),
    ...(delivery === null ? {} : { delivery }),
    ...(shared === null ? {} : { payToSharedWith: shared }),
    ...(challenge === null ? {} : { lastChallenge: challenge }),
  }));

/** Arbitrary text with frequent control, invisible and malformed characters. */
const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u001b[2J', '\u202e', '\u2028', '\ud800', '<b>', '__proto__', 'x'.repeat(3_000)),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

/** Arbitrary report, made from malicious provider texts. */
export const anyReport: fc.Arbitrary<TrustReport> = fc
  .record({
    inputs: allInputs,
    text: anyText,
    terms: fc.boolean(),
    settlement: fc.boolean(),
    compliance: fc.boolean(),
    latency: fc.boolean(),
    probedAt: fc.option(fc.integer({ min: NOW - 86_400_000, max: NOW + 86_400_000 })),
  })
  .map(({ inputs: { description, advertised, ...inputs }, text, probedAt, ...has }) => {
    const given = {
      ...inputs,
      description: description === null ? null : text,
      changes: inputs.changes.map((change) => ({ ...change, before: text, after: text })),
      advertised: advertised && {
        ...advertised,
        ...{ payTo: text, network: text, asset: text, falseUsdcAsset: text },
      },
    };
    const { endpoint } = createSource(given);
    return createReport(given, {
      endpoint: { ...endpoint, serviceName: text, resource: text },
      options: { freshness: createLiveFreshness(probedAt) },
      facts: {
        ...(has.settlement ? {} : { settlement: null }),
        ...(has.terms ? {} : { termsAt: null, payToDistinct30d: null }),
        ...(has.latency ? {} : { firstByteMsP50: null, responseMsP99: null, responseMsMean: null }),
      },
      ...(has.terms ? {} : { payOn: [] }),
      ...(has.compliance ? {} : { challenge: null }),
    });
  });
