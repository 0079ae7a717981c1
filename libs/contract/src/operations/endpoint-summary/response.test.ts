import { describe, expect, it } from 'vitest';
import { ENDPOINT_SUMMARY_EXAMPLE as summary } from './response.ts';
import { TRUST_REPORT_EXAMPLE as report } from '../trust-report/report-schema.ts';
import { createCheck } from '../../testing/schema-checks.ts';

const accepts = createCheck('endpoint-summary');
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
      priceRange30d: report.advertised.amountRange30d,
      amountUsd: report.advertised.amountUsd,
      probes30d: report.stats.probes30d,
      scoredProbes30d: report.stats.scoredProbes30d,
    });
  });
});
