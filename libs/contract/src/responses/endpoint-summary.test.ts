import { describe, expect, it } from 'vitest';
import { BULK_EXAMPLE } from '../examples/bulk.ts';
import { ENDPOINT_SUMMARY_EXAMPLE as summary } from '../examples/endpoint-summary.ts';
import { TRUST_REPORT_EXAMPLE as report } from '../examples/trust-report.ts';
import { createJsonSchema } from '../schemas/json-schema.ts';
import { createStrictAjv } from '../testing/strict-ajv.ts';
import { bulkSchema } from './bulk.ts';
import { endpointSummarySchema } from './endpoint-summary.ts';

const BASE = 'https://touchstone.example';
const publishedSummary = createStrictAjv().compile(createJsonSchema('endpoint-summary', BASE));
const publishedBulk = createStrictAjv().compile(createJsonSchema('x402-trust-bulk', BASE));

/** Returns true if the zod schema accepts the summary with some changes, which the published schema must accept too. */
function acceptsSummary(change: object): boolean {
  const changed = { ...summary, ...change };
  const { success } = endpointSummarySchema.safeParse(changed);
  expect(publishedSummary(changed)).toBe(success);
  return success;
}

const acceptsEndpoint = (change: object): boolean =>
  acceptsSummary({ endpoint: { ...summary.endpoint, ...change } });

/** Fields of the monitored endpoint record in section 2.1 of the interface specification, in its order. */
const RECORD_FIELDS = [
  'resource',
  'grade',
  'score',
  'recommendation',
  'confidence',
  'uptime30d',
  'latencyMs',
  'latencyLabel',
  'probes30d',
  'amountUsd',
  'priceStability',
  'network',
  'payOn',
  'firstSeen',
  'lastProbedAt',
  'listing',
  'computedAt',
  'daysTracked',
  'errorFlags',
  'warningFlags',
  'betterAlternatives',
  'description',
];

describe('a summary', () => {
  it.each(RECORD_FIELDS)('has the field %s of the monitored endpoint record', (field) => {
    const others = Object.entries(summary.endpoint ?? {}).filter(([name]) => name !== field);
    expect(summary.endpoint).toHaveProperty(field);
    expect(acceptsSummary({ endpoint: Object.fromEntries(others) })).toBe(false);
  });

  it('may state that the endpoint is unknown', () => {
    const requested = { resource: 'https://unknown.example.org/', payTo: null, network: null };
    expect(acceptsSummary({ requested, endpoint: null, match: null, payTo: null })).toBe(true);
  });

  it('may be unsigned', () => {
    expect(acceptsSummary({ signature: null })).toBe(true);
  });

  it('accepts null for values that were not measured', () => {
    expect(
      acceptsEndpoint({
        ...{ method: null, serviceName: null, description: null, uptime30d: null, latencyMs: null },
        ...{ latencyLabel: null, lastProbedAt: null, amountUsd: null, priceStability: null },
        ...{ priceRange30d: null, network: null, payOn: [], betterAlternatives: null, grade: '?' },
      }),
    ).toBe(true);
  });

  it.each(Object.keys(summary))('requires %s', (name) => {
    const others = Object.fromEntries(Object.entries(summary).filter(([member]) => member !== name));
    expect([endpointSummarySchema.safeParse(others).success, publishedSummary(others)]).toEqual([
      false,
      false,
    ]);
  });

  it.each([
    { flags: {} },
    { reasons: [] },
    { score: 101 },
    { uptime30d: 100.1 },
    { betterAlternatives: 11 },
    { priceRange30d: { lowUsd: '0.01', highUsd: '0.02' } },
    { firstSeen: '2026-02-27' },
    { errorFlags: null },
  ])('has no content of the paid report, and no value outside of the limits: %j', (change) => {
    expect(acceptsEndpoint(change)).toBe(false);
  });

  it('agrees with the example of the trust report', () => {
    const { score, grade, recommendation, confidence, endpointPage, endpointId, templated } = report;
    expect(summary.endpoint).toMatchObject({
      ...{ score, grade, recommendation, confidence, endpointPage, endpointId, templated },
      priceRange30d: report.advertised?.amountRange30d,
      amountUsd: report.advertised?.amountUsd,
      probes30d: report.stats.probes30d,
    });
  });
});

describe('a bulk response', () => {
  const [found, , unknown] = BULK_EXAMPLE.results;
  const accepts = (result: object): boolean => {
    const changed = { ...BULK_EXAMPLE, results: [result] };
    const { success } = bulkSchema.safeParse(changed);
    expect(publishedBulk(changed)).toBe(success);
    return success;
  };

  it('has the same members for known and unknown endpoints', () => {
    expect(Object.keys(unknown ?? {})).toEqual(Object.keys(found ?? {}));
    expect(accepts({ ...unknown })).toBe(true);
    expect(accepts({ resource: 'https://unknown.example.org/', found: false })).toBe(false);
  });

  it.each([{ error_flags: ['Down now'] }, { score: '91.9' }, { grade: 'E' }, { warnings: 1 }])(
    'has no value outside of the limits: %j',
    (change) => {
      expect(accepts({ ...found, ...change })).toBe(false);
    },
  );

  it('is smaller than 400 KB for 500 endpoints with URLs of 128 characters, which fit into a request', () => {
    const resource = `https://api.example.com/${'p'.repeat(104)}`;
    const result = { ...found, resource, error_flags: ['down-now', 'not-payable', 'asset-not-usdc'] };
    const full = {
      ...BULK_EXAMPLE,
      count: 500,
      found: 500,
      results: Array.from({ length: 500 }, () => result),
    };
    expect(bulkSchema.safeParse(full).success).toBe(true);
    expect(JSON.stringify(full).length).toBeLessThan(400_000);
    expect(JSON.stringify({ resources: full.results.map((each) => each.resource) }).length).toBeGreaterThan(
      65_000,
    );
  });
});
