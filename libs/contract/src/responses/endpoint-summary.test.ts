import { describe, expect, it } from 'vitest';
import { BULK_EXAMPLE } from '../examples/bulk.ts';
import { ENDPOINT_SUMMARY_EXAMPLE as summary } from '../examples/endpoint-summary.ts';
import { TRUST_REPORT_EXAMPLE as report } from '../examples/trust-report.ts';
import { createCheck } from '../testing/schema-checks.ts';
import { bulkSchema } from './bulk.ts';

const accepts = createCheck('endpoint-summary');
const acceptsBulk = createCheck('x402-trust-bulk');
const acceptsSummary = (change: object): boolean => accepts({ ...summary, ...change });
const acceptsEndpoint = (change: object): boolean =>
  acceptsSummary({ endpoint: { ...summary.endpoint, ...change } });

/** Fields of the monitored endpoint record in section 2.1 of the interface specification, in its order. */
const RECORD_FIELDS = [
  ...['resource', 'grade', 'score', 'recommendation', 'confidence', 'uptime30d', 'latencyMs', 'latencyLabel'],
  ...['probes30d', 'amountUsd', 'priceStability', 'network', 'payOn', 'firstSeen', 'lastProbedAt', 'listing'],
  ...['computedAt', 'daysTracked', 'errorFlags', 'warningFlags', 'betterAlternatives', 'description'],
];

describe('a summary', () => {
  it.each(RECORD_FIELDS)('has the field %s of the monitored endpoint record', (field) => {
    const others = Object.entries(summary.endpoint ?? {}).filter(([name]) => name !== field);
    expect(summary.endpoint).toHaveProperty(field);
    expect(acceptsSummary({ endpoint: Object.fromEntries(others) })).toBe(false);
  });

  it('may state that the endpoint is unknown, and may be unsigned', () => {
    const requested = { resource: 'https://unknown.example.org/', payTo: null, network: null };
    expect(acceptsSummary({ requested, endpoint: null, match: null, payTo: null })).toBe(true);
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
    expect(accepts(others)).toBe(false);
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
  const acceptsResult = (result: object): boolean => acceptsBulk({ ...BULK_EXAMPLE, results: [result] });

  it('has the same members for known and unknown endpoints', () => {
    expect(Object.keys(unknown ?? {})).toEqual(Object.keys(found ?? {}));
    expect(acceptsResult({ ...unknown })).toBe(true);
    expect(acceptsResult({ resource: 'https://unknown.example.org/', found: false })).toBe(false);
  });

  it.each([{ error_flags: ['Down now'] }, { score: '91.9' }, { grade: 'E' }, { warnings: 1 }])(
    'has no value outside of the limits: %j',
    (change) => {
      expect(acceptsResult({ ...found, ...change })).toBe(false);
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
