import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonSchemaOf, trustReportSchema } from '@touchstone/contract';
import { assembleReport } from './assemble-report.ts';
import { inputsOf, publishable } from './report-inputs.ts';
import { score } from '../score.ts';
import { healthy, NOW, untouched } from '../testing/fixtures.ts';
import { allInputs, anyFacts, factsOf, FULL, reportOf } from '../testing/reports.ts';

const ajv = new Ajv2020.default({ strict: true, allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(jsonSchemaOf('x402-trust', 'https://touchstone.example'));

/** Every text in a JSON value. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(texts);
}

describe('a report', () => {
  it('is valid by the published JSON Schema and by the contract, whatever was seen', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const report: unknown = JSON.parse(JSON.stringify(assembleReport(facts)));
        expect([validate(report), validate.errors]).toEqual([true, null]);
        expect(trustReportSchema.parse(report)).toEqual(report);
      }),
      { numRuns: 500 },
    );
  });

  it('loses nothing on the wire', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const report = assembleReport(facts);
        expect(JSON.parse(JSON.stringify(report))).toEqual(report);
      }),
    );
  });

  it('carries everything the formula reads, to the last digit', () => {
    fc.assert(
      fc.property(allInputs, (inputs) => {
        const report = reportOf(inputs);
        expect(inputsOf(report)).toEqual(publishable(inputs));
        expect(score(inputsOf(report))).toEqual(score(publishable(inputs)));
      }),
      { numRuns: 500 },
    );
  });

  it('carries texts of providers as one plain line', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        for (const text of texts(assembleReport(facts))) {
          expect(text).not.toMatch(/[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u);
          expect(text.isWellFormed()).toBe(true);
          expect(text.length).toBeLessThanOrEqual(8_192);
        }
      }),
    );
  });

  it('is null where nothing was measured, and misses nothing', () => {
    const report = reportOf(untouched({ description: ' \u200b ' }), {
      terms: null,
      settlement: null,
      compliance: null,
      latency: null,
      freshness: { live: false, notLiveReason: 'own-failure', probedAt: null, liveProbeMs: null },
    });
    expect(report).toMatchObject({
      description: null,
      advertised: null,
      settlement: null,
      compliance: null,
      projection: null,
      signature: null,
      freshness: { live: false, notLiveReason: 'own-failure', probedAt: null, ageSeconds: null },
      stats: { latency: null, payToSharedWith: null, latestChallenge: null, downSince: null },
      breakdown: { uptime: null, compliance: null, stability: null, activity: null, latency: null },
    });
    expect(validate(report)).toBe(true);
  });

  it('says who is paid and who else is paid there, also where no chain was read', () => {
    const { settlement } = reportOf(healthy({ settlement: null, networksRead: 0, payToSharedWith: 2 }));
    expect(settlement).toEqual({
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      network: 'eip155:8453',
      sharedWith: ['https://other.example/a', 'https://third.example/b'],
      ...{ volumeUsd30d: null, settlements30d: null, payers30d: null, topPayerShare: null },
      ...{ lastSettledAt: null, throughBlock: null, partial: null, wallets: [] },
    });
    const bare = reportOf(healthy({ settlement: null }), { settlement: null });
    expect(bare.settlement).toMatchObject({ payTo: settlement?.payTo, sharedWith: [], volumeUsd30d: null });
    expect(validate(bare)).toBe(true);
  });

  it('lists the wallets that its figures are the sums of, and says where something was not read', () => {
    const { settlement: facts } = factsOf(FULL);
    const wallets = [
      {
        ...{ payTo: '0xaa', network: 'eip155:8453', volumeUsd30d: 1_234.56, settlements30d: 4_200 },
        ...{ payers30d: 37, topPayerShare: 0.25, lastSettledAt: NOW, throughBlock: 77 },
      },
      {
        ...{ payTo: '0xbb', network: 'eip155:137', volumeUsd30d: null, settlements30d: null },
        ...{ payers30d: null, topPayerShare: null, lastSettledAt: null, throughBlock: null },
      },
    ];
    const partial = { ...FULL, settlement: FULL.settlement && { ...FULL.settlement, partial: true } };
    const report = reportOf(partial, { settlement: facts && { ...facts, wallets } });
    expect(validate(report)).toBe(true);
    expect(report.settlement).toMatchObject({
      ...{ volumeUsd30d: '1234.560000', partial: true },
      wallets: [
        { payTo: '0xaa', volumeUsd30d: '1234.560000', lastSettledAt: '2026-06-01T00:00:00.000Z' },
        { payTo: '0xbb', network: 'eip155:137', volumeUsd30d: null, payers30d: null },
      ],
    });
    expect(report.components.activity.explanation).toMatch(/^At least 1234\.56 US dollars from 37 payers/);
    expect(inputsOf(report).settlement).toEqual(partial.settlement);
  });

  it('writes moments and dollars as the wire has them, in evidence too', () => {
    const report = reportOf(
      healthy({
        firstSeen: NOW - 3_600_000,
        settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0 },
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

  it('says of the terms, the chain and the challenge what it was given', () => {
    const report = reportOf(FULL);
    expect(report.advertised).toMatchObject({
      amount: '10000',
      amountUsd: '0.010000',
      decimals: 6,
      protocolVersion: 2,
      range30d: { lowUsd: '0.010000', highUsd: '0.020000' },
      options: [{ scheme: 'exact', assetSymbol: 'USDC' }],
    });
    expect(report.settlement).toMatchObject({
      volumeUsd30d: '1234.560000',
      settlements30d: 4_200,
      payers30d: 37,
      sharedWith: ['https://other.example/a', 'https://third.example/b'],
      throughBlock: 31_337_000,
    });
    expect(report.compliance?.checks[0]).toMatchObject({ id: 'v2-resource-object', fix: null });
    expect(report.stats).toMatchObject({
      windowDays: 30,
      probes: 1_440,
      envelopes: { checked: 1_440, valid: 1_440 },
      changes: { price: 1, payTo: 1, assetNetwork: 0 },
      latency: { p50: 150, p95: 400, p99: 700, mean: 171, vantage: 'eu' },
      observedDays: 200,
    });
    expect(report.endpointPage).toBe(
      'https://touchstone.example/endpoint/api-example-com-weather-abcdefghij',
    );
  });

  it('writes prices in six decimals, however they were kept, and no amount that is none', () => {
    const { terms, ...facts } = factsOf(FULL);
    const [option] = terms?.options ?? [];
    if (terms === null || option === undefined) throw new TypeError('the facts have terms');
    const report = assembleReport({
      ...facts,
      terms: {
        ...terms,
        amount: 'a lot',
        range30d: { lowUsd: '0.01', highUsd: '2.0000005000' },
        options: [
          { ...option, amount: '-1', amountUsd: '7' },
          { ...option, amountUsd: 'seven' },
        ],
      },
    });
    expect(report.advertised).toMatchObject({
      amount: null,
      range30d: { lowUsd: '0.010000', highUsd: '2.000001' },
      options: [{ amount: null, amountUsd: '7.000000' }, { amountUsd: null }],
    });
    expect(validate(report)).toBe(true);
    const inputs = publishable({ ...FULL, medianPriceUsd30d: 'NaN' });
    expect([inputs.medianPriceUsd30d, inputs.advertised?.amountUsd]).toEqual([null, '0.010000']);
  });

  it('keeps to what a report may hold where there is more', () => {
    const facts = factsOf(FULL);
    const options = Array.from({ length: 150 }, () => facts.terms?.options ?? []).flat();
    const report = assembleReport({ ...facts, terms: facts.terms && { ...facts.terms, options } });
    expect(report.advertised?.options).toHaveLength(100);
    expect(validate(report)).toBe(true);
  });
});
