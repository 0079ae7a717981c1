import fc from 'fast-check';
import type { TrustReport } from '@touchstone/contract';
import { countChallenges } from '../endpoint-state.ts';
import { assembleReport, type ReportFacts } from '../report/assemble-report.ts';
import { toPublishableInputs } from '../report/report-inputs.ts';
import { score } from '../score.ts';
import { anyInputs, createHealthyInputs, NOW } from './fixtures.ts';
import type { ScoreInputs } from '../types.ts';

const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

export function createFacts(inputs: ScoreInputs, change: Partial<ReportFacts> = {}): ReportFacts {
  const scored = toPublishableInputs(inputs);
  return {
    baseUrl: 'https://touchstone.example',
    generatedAt: inputs.now + 1_500,
    endpoint: {
      id: '0b9f7c52-4e0c-4d3c-9d4b-2f0e4e0a6a11',
      resource: 'https://api.example.com/v1/weather',
      page: '/endpoint/api-example-com-weather-abcdefghij',
      serviceName: 'Weather',
      delistedAt: null,
    },
    freshness: { live: true, notLiveReason: null, probedAt: inputs.now, liveProbeMs: 212 },
    inputs: scored,
    verdict: score(scored),
    terms: {
      amount: '10000',
      asset: USDC,
      decimals: 6,
      observedAt: inputs.now,
      range30d: { lowUsd: '0.010000', highUsd: '0.020000' },
      options: [
        {
          scheme: 'exact',
          network: 'eip155:8453',
          asset: USDC,
          assetSymbol: 'USDC',
          decimals: 6,
          amount: '10000',
          amountUsd: '0.010000',
          payTo: PAY_TO,
          falseUsdc: false,
        },
      ],
    },
    settlement: {
      payTo: PAY_TO,
      network: 'eip155:8453',
      settlements30d: 4_200,
      sharedWith: ['https://other.example/a', 'https://third.example/b'],
      lastSettledAt: inputs.now,
      throughBlock: 31_337_000,
      wallets: [],
    },
    compliance: {
      version: 2,
      payable: true,
      checks: [
        {
          id: 'v2-resource-object',
          pass: true,
          severity: 'warning',
          message: 'The challenge names its resource.',
          fix: null,
          reference: 'x402 version 2, section 5',
        },
      ],
    },
    latency: { p99: Math.max(700, inputs.latency?.p95 ?? 0), mean: 171, vantage: 'eu' },
    ...change,
  };
}

export function createReport(inputs: ScoreInputs, change: Partial<ReportFacts> = {}): TrustReport {
  return assembleReport(createFacts(inputs, change));
}

/** Score inputs in which nearly every field has a value, including the optional fields. */
export const FULL_INPUTS: ScoreInputs = createHealthyInputs({
  changes: [
    { kind: 'price_change', at: NOW - 86_400_000 },
    { kind: 'payto_change', at: NOW - 12 * 86_400_000 },
  ],
  watchedSince: NOW - 40 * 86_400_000,
  payToSharedWith: 2,
  lastChallenge: { resourceInfoMissing: true, headerBodyMismatch: false },
  settlement: { volumeUsd30d: 1_234.56, payers30d: 37, topPayerShare: 0.25 },
});

/** Makes score inputs consistent: no more challenges than probes, and no volume without a payer. */
function toConsistentInputs(inputs: ScoreInputs): ScoreInputs {
  const { probes, envelopes, settlement } = inputs;
  const share = Math.min(1, probes.total / Math.max(1, countChallenges({ envelopes })));
  const scale = (count: number): number => Math.floor(count * share);
  return {
    ...inputs,
    envelopes: {
      pass: scale(envelopes.pass),
      warnings: scale(envelopes.warnings),
      errors: scale(envelopes.errors),
      unpayable: scale(envelopes.unpayable),
    },
    settlement:
      settlement?.payers30d === 0 ? { ...settlement, volumeUsd30d: 0, topPayerShare: 0 } : settlement,
  };
}

/** Arbitrary consistent score inputs, including the optional fields that `anyInputs` leaves out. */
export const allInputs: fc.Arbitrary<ScoreInputs> = fc
  .record({
    inputs: anyInputs,
    shared: fc.option(fc.nat(20)),
    challenge: fc.option(fc.record({ resourceInfoMissing: fc.boolean(), headerBodyMismatch: fc.boolean() })),
  })
  .map(({ inputs, shared, challenge }) => ({
    ...toConsistentInputs(inputs),
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

/** Arbitrary facts for `assembleReport`, with malicious provider texts. */
export const anyFacts: fc.Arbitrary<ReportFacts> = fc
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
    const base = createFacts({
      ...inputs,
      description: description === null ? null : text,
      advertised: advertised && { ...advertised, payTo: text, network: text },
    });
    const option = base.terms?.options[0];
    return {
      ...base,
      endpoint: { ...base.endpoint, serviceName: text, resource: text },
      freshness: { ...base.freshness, probedAt },
      terms:
        has.terms && base.terms !== null && option !== undefined
          ? { ...base.terms, asset: text, options: [{ ...option, asset: text, payTo: text, scheme: text }] }
          : null,
      settlement: has.settlement ? base.settlement : null,
      compliance: has.compliance ? base.compliance : null,
      latency: has.latency ? base.latency : null,
    };
  });
