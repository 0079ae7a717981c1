import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { createJsonSchema, trustReportSchema } from '@touchstone/contract';
import { RULES } from '@touchstone/x402';
import { recompute } from '../recompute/recompute.ts';
import type { ScoreInputs } from '../types.ts';
import { readInputs, toPublishableInputs } from './report-inputs.ts';
import { toStoredFreshness } from './assemble-report.ts';
import type { ReportFigures } from './scored-source.ts';
import { score } from '../score.ts';
import { createHealthyInputs, NOW, createUnprobedInputs } from '../testing/fixtures.ts';
import { allInputs, anyReport, createSource, FULL_INPUTS, createReport } from '../testing/reports.ts';

const ajv = new Ajv2020.default({ strict: true, allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(createJsonSchema('x402-trust', 'https://touchstone.example'));

/** Returns all strings in a JSON value, at any depth. */
function findTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(findTexts);
}

/** Returns the published correction of a compliance rule. */
function findFix(id: string): string | undefined {
  return RULES.find((rule) => rule.id === id)?.fix;
}

describe('a report', () => {
  it('is JSON that is valid by the published JSON Schema and by the contract for all sources', () => {
    fc.assert(
      fc.property(anyReport, (assembled) => {
        const report: unknown = JSON.parse(JSON.stringify(assembled));
        expect(report).toEqual(assembled);
        expect([validate(report), validate.errors]).toEqual([true, null]);
        expect(trustReportSchema.parse(report)).toEqual(report);
      }),
      { numRuns: 200 },
    );
  });

  it('contains all score inputs to the last digit', () => {
    fc.assert(
      fc.property(allInputs, (inputs) => {
        const report = createReport(inputs);
        expect(readInputs(report)).toEqual(toPublishableInputs(inputs));
        expect(score(readInputs(report))).toEqual(score(toPublishableInputs(inputs)));
      }),
      { numRuns: 200 },
    );
  });

  it('lists its flags in the order of the object, with the same values', () => {
    fc.assert(
      fc.property(allInputs, (inputs) => {
        const { flags, flagsDetailed } = createReport(inputs);
        const expected = Object.entries(flags).map(([code, { severity, message }]) => ({
          code,
          severity,
          message,
        }));
        expect(flagsDetailed).toEqual(expected);
      }),
    );
    expect(createReport(createHealthyInputs()).flagsDetailed).toEqual([]);
  });

  it.each<[boolean, string, Partial<ReportFigures>, number | null]>([
    [false, 'did not vary', {}, null],
    [true, 'changed less than a day before the latest terms', {}, NOW - DAY_MS + 1],
    [false, 'has stayed the same for a day', {}, NOW - DAY_MS],
    [true, 'changed less than a day before an outage', { termsAt: NOW - 3 * DAY_MS }, NOW - 4 * DAY_MS + 1],
  ])('has payToVaries %s if the payTo %s', (...[payToVaries, , facts, lastChangedAt]) => {
    const variation = { changes: 9, since: NOW - 5 * DAY_MS, before: null, after: null };
    const inputs = lastChangedAt === null ? {} : { payToVariation: { ...variation, lastChangedAt } };
    const report = createReport(createHealthyInputs(inputs), { facts });
    expect(report.stats.payToVaries).toBe(payToVaries);
    expect(report.flagsDetailed.map(({ code }) => code)).toEqual(
      lastChangedAt === null ? [] : ['payto-varies'],
    );
    expect(recompute({ ...report, stats: { ...report.stats, payToVaries: !payToVaries } })).toMatchObject({
      first: { path: '$.stats.payToVaries', computed: payToVaries },
    });
  });

  it('has inputs that stay the same when they are made publishable again', () => {
    fc.assert(
      fc.property(allInputs, (inputs) => {
        const publishable = toPublishableInputs(inputs);
        expect(toPublishableInputs(publishable)).toEqual(publishable);
      }),
    );
  });

  it('contains provider texts as cleaned single lines', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        for (const text of findTexts(report)) {
          expect(text).not.toMatch(/[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u);
          expect(text.isWellFormed()).toBe(true);
          expect(text.length).toBeLessThanOrEqual(8_192);
        }
      }),
    );
  });

  it('has null for values that were not measured', () => {
    const { facts } = createSource(createUnprobedInputs(), { facts: { lastProbedAt: null } });
    const report = createReport(createUnprobedInputs({ description: ' \u200b ' }), {
      payOn: [],
      challenge: null,
      facts: { settlement: null, lastProbedAt: null },
      options: { freshness: toStoredFreshness({ facts }, 'No live probe was requested.') },
    });
    expect(report).toMatchObject({
      description: null,
      advertised: null,
      settlement: null,
      compliance: null,
      projection: null,
      signature: null,
      freshness: {
        ...{ live: false, probedAt: null, ageSeconds: null, outcome: null, httpStatus: null, confirms: null },
        detail: 'No live probe was requested. The report uses stored data.',
      },
      stats: { latency: null, payToSharedWith: null, latestChallenge: null, downSince: null },
      breakdown: { uptime: null, compliance: null, stability: null, activity: null, latency: null },
    });
    expect(validate(report)).toBe(true);
  });

  it('formats times as ISO 8601 and dollars with six decimals, also in evidence', () => {
    const report = createReport(
      createHealthyInputs({
        firstSeen: NOW - 3_600_000,
        settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: null },
      }),
    );
    expect(report.flags['first-contact']).toMatchObject({
      since: '2026-05-31T23:00:00.000Z',
      evidence: { firstSeen: '2026-05-31T23:00:00.000Z' },
    });
    expect(report.flags['no-settlements']?.evidence).toEqual({ volumeUsd30d: '0.000000' });
    expect(report.components.activity.inputs).toMatchObject({ volumeUsd30d: '0.000000' });
    expect(report.generatedAt).toBe('2026-06-01T00:00:01.500Z');
    expect(report.freshness.ageSeconds).toBe(1);
  });

  it('contains the stored figures about terms, chain and challenge', () => {
    const report = createReport(FULL_INPUTS);
    expect(report.advertised).toMatchObject({
      amount: '10000',
      amountUsd: '0.010000',
      decimals: 6,
      protocolVersion: 2,
      amountRange30d: { lowUsd: '0.010000', highUsd: '0.020000' },
      options: [{ scheme: 'exact', assetSymbol: 'USDC' }],
    });
    expect(report.settlement).toMatchObject({
      volumeUsd30d: '1234.560000',
      settlements30d: 4_200,
      payers30d: 37,
      sharedWith: ['https://other.example/a', 'https://third.example/b'],
      throughBlock: 31_337_000,
    });
    expect(report.compliance).toMatchObject({
      ...{ payable: true, observedAt: '2026-06-01T00:00:00.000Z', skippedCount: RULES.length - 2 },
      failed: [{ id: 'v2-description', axis: 'discoverable', fix: findFix('v2-description') }],
      passed: ['v2-resource-url'],
    });
    expect(report.stats).toMatchObject({
      windowDays: 30,
      ...{ probes30d: 1_440, scoredProbes30d: 1_440, up30d: 1_440, avgLatencyMs: 171 },
      ...{ settledVolumeUsd30d: '1234.560000', distinctPayers30d: 37 },
      last24h: { scored: 48, up: 48, pass: 48 },
      firstByte: { p50: 140, p95: 380 },
      envelopes: { checked: 1_440, valid: 1_440 },
      changes: {
        ...{ price: 1, payTo: 1, assetNetwork: 0 },
        events: [{ kind: 'price_change', before: '$0.01', after: '$0.02' }, { kind: 'payto_change' }],
      },
      latency: { p50: 150, p95: 400, p99: 700, maxErrorPercent: 16, vantage: 'eu' },
      ...{ latencyVantage: 'eu', payToVaries: false, payToDistinct30d: 1 },
      observedDays: 200,
    });
    expect(report.endpointPage).toBe(
      'https://touchstone.example/endpoint/api-example-com-weather-abcdefghij',
    );
  });

  it('formats prices with six decimals, and invalid amounts as null', () => {
    const [option] = createSource(FULL_INPUTS).payOn;
    if (option === undefined) throw new TypeError('The source must have a payment option.');
    const report = createReport(FULL_INPUTS, {
      facts: { lowestPriceUsd: '0.01', highestPriceUsd: '2.0000005000' },
      payOn: [
        { ...option, amount: 'a lot', amountUsd: '7' },
        { ...option, amount: '-1', amountUsd: 'seven' },
      ],
    });
    expect(report.advertised).toMatchObject({
      amount: null,
      amountRange30d: { lowUsd: '0.010000', highUsd: '2.000001' },
      options: [
        { amount: null, amountUsd: '7.000000' },
        { amount: null, amountUsd: null },
      ],
    });
    expect(validate(report)).toBe(true);
    const inputs = toPublishableInputs({ ...FULL_INPUTS, medianPriceUsd30d: 'NaN' });
    expect([inputs.medianPriceUsd30d, inputs.advertised?.amountUsd]).toEqual([null, '0.010000']);
  });

  it('limits the number of options to the maximum of the schema', () => {
    const { payOn } = createSource(FULL_INPUTS);
    const report = createReport(FULL_INPUTS, { payOn: Array.from({ length: 150 }, () => payOn).flat() });
    expect(report.advertised?.options).toHaveLength(100);
    expect(validate(report)).toBe(true);
  });
});

describe('compliance', () => {
  it('is of one challenge: null if the result of the latest challenge is unknown', () => {
    const { compliance } = createReport(FULL_INPUTS, { facts: { complianceAt: NOW - DAY_MS } });
    expect(compliance).toBeNull();
  });

  it.each<[string, Partial<ScoreInputs>, boolean]>([
    ['a healthy endpoint', {}, true],
    // The challenge was payable when it was received. Flags and freshness describe the later state.
    ['an endpoint that is down', { downSince: NOW - HOUR_MS }, true],
    ['a challenge of ten days ago', { lastPayableAt: NOW - 10 * DAY_MS }, true],
    ['a challenge with formal errors', { latestCompliance: 'errors' }, true],
    ['a challenge that cannot be paid', { latestCompliance: 'unpayable' }, false],
  ])('has the payability of %s', (_, change, payable) => {
    const report = createReport(createHealthyInputs(change));
    expect(report.compliance?.payable).toBe(payable);
    const forged = {
      ...report,
      compliance: report.compliance && { ...report.compliance, payable: !payable },
    };
    expect(recompute(forged)).toMatchObject({
      outcome: 'differs',
      first: { path: '$.compliance.payable', computed: payable },
    });
  });
});
