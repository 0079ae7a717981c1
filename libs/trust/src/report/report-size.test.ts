import { previewSchema, type Preview, type TrustReport } from '@touchstone/contract';
import { beforeAll, expect, test } from 'vitest';
import { createComplianceFacts, signExample } from '../testing/example-report.ts';
import {
  createChange,
  createFailure,
  createHealthyInputs,
  createLastDay,
  NOW,
  toDaysAgo,
  USDC,
  withProbes,
} from '../testing/fixtures.ts';
import { createReport } from '../testing/reports.ts';
import type { ScoreInputs } from '../types.ts';
import type { ReportFacts } from './assemble-report.ts';
import { recompute } from '../recompute/recompute.ts';

/** Maximum size of the report of a healthy endpoint as compact JSON, in bytes. */
const MAX_REPORT_BYTES = 8_000;
/** Maximum size of a preview as compact JSON, in bytes. */
const MAX_PREVIEW_BYTES = 25_000;

const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const SOLANA_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SOLANA_WALLET = '4Nd1mYvYv6Cz8mVYsHk2XG7cQy3Bz8cGgEw3xJr4mWqT';
const RESOURCE = 'https://api.weather-provider.example/v1/forecast/seven-days';
const DESCRIPTION =
  'Température, précipitations et vent pour chaque ville du monde, heure par heure, sur sept jours. '
    .repeat(4)
    .slice(0, 300);

const OUTPUT = { type: 'json', example: { city: 'Oslo', days: [{ date: '2026-06-01', high: 21, low: 12 }] } };

/** Challenge of version 2 with two payment options and a discovery extension. */
const PAYMENT_REQUIRED = {
  x402Version: 2,
  error: 'PAYMENT-SIGNATURE header is required',
  resource: { url: RESOURCE, description: DESCRIPTION, mimeType: 'application/json' },
  accepts: [
    {
      ...{ scheme: 'exact', network: 'eip155:8453', amount: '10000', asset: USDC, payTo: PAY_TO },
      ...{ maxTimeoutSeconds: 60, extra: { name: 'USD Coin', version: '2' } },
    },
    {
      ...{ scheme: 'exact', network: SOLANA, amount: '10000', asset: SOLANA_USDC, payTo: SOLANA_WALLET },
      ...{ maxTimeoutSeconds: 60, extra: { feePayer: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4' } },
    },
  ],
  extensions: {
    bazaar: {
      info: { input: { type: 'http', method: 'GET', queryParams: { city: 'Oslo' } }, output: OUTPUT },
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          input: {
            type: 'object',
            properties: {
              type: { type: 'string', const: 'http' },
              method: { type: 'string', enum: ['GET'] },
              queryParams: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
            },
            required: ['type', 'method'],
          },
          output: { type: 'object' },
        },
        required: ['input'],
      },
    },
  },
};

const READ = { settlements30d: 30_550, payers30d: 41, lastSettledAt: NOW, topPayerShare: 0.1934 };

/** Returns the signed report of an endpoint with two payment options, two wallets and a long description. */
function createRealisticReport(
  change: Partial<ScoreInputs> = {},
  facts: Partial<ReportFacts> = {},
): Promise<TrustReport> {
  const inputs = createHealthyInputs({
    firstSeen: toDaysAgo(94),
    description: DESCRIPTION,
    probes: { total: 1_440, scored: 1_434, up: 1_431, excluded: 6, blocked: 0, redirected: 0 },
    envelopes: { pass: 1_102, warnings: 329, errors: 0, unpayable: 0 },
    latency: { p50: 214, p95: 611, n: 1_431 },
    changes: [createChange('price_change', toDaysAgo(12), { before: '$0.020000', after: '$0.010000' })],
    watchedSince: toDaysAgo(94),
    payToSharedWith: 0,
    lastFailure: createFailure({
      ...{ at: toDaysAgo(11), since: toDaysAgo(11), phase: 'transfer', error: 'timeout', httpStatus: 402 },
      detail: 'The response (HTTP 402) was incomplete after 10 seconds.',
    }),
    lastChallenge: { resourceInfoMissing: false, headerBodyMismatch: false, notPayableReason: null },
    settlement: { volumeUsd30d: 812.44, payers30d: 61, topPayerShare: 0.1934 },
    ...change,
  });
  const base = { scheme: 'exact', assetSymbol: 'USDC', decimals: 6, amount: '10000', amountUsd: '0.010000' };
  const wallet = { ...READ, volumeUsd30d: 406.22, throughBlock: 31_337_000 };
  return signExample(
    createReport(inputs, {
      endpoint: {
        id: '0b9f7c52-4e0c-4d3c-9d4b-2f0e4e0a6a11',
        resource: RESOURCE,
        page: '/endpoint/api-weather-provider-example-v1-forecast-seven-days-abcdefghij',
        serviceName: 'Prévisions météorologiques',
        source: 'directory',
      },
      terms: {
        ...{ amount: '10000', decimals: 6, observedAt: NOW },
        amountRange30d: { lowUsd: '0.010000', highUsd: '0.020000' },
        options: [
          { ...base, network: 'eip155:8453', asset: USDC, payTo: PAY_TO, falseUsdc: false },
          { ...base, network: SOLANA, asset: SOLANA_USDC, payTo: SOLANA_WALLET, falseUsdc: false },
        ],
      },
      settlement: {
        ...{ payTo: PAY_TO, network: 'eip155:8453', settlements30d: 61_100, sharedWith: [] },
        ...{ lastSettledAt: NOW, throughBlock: 31_337_000 },
        wallets: [
          { ...wallet, payTo: PAY_TO, network: 'eip155:8453' },
          { ...wallet, payTo: SOLANA_WALLET, network: SOLANA, throughBlock: 371_337_000 },
        ],
      },
      compliance: createComplianceFacts(PAYMENT_REQUIRED, [['cache-control', 'no-store']]),
      latency: { p99: 1_204, mean: 268, firstByte: { p50: 196, p95: 574 }, vantage: 'eu' },
      causes30d: { timeout: 2, 'http-502': 1 },
      ...facts,
    }),
  );
}

/** Returns the report of an endpoint that has been down for three days. */
function createDownReport(): Promise<TrustReport> {
  return createRealisticReport(
    {
      ...withProbes(1_440, 1_200),
      envelopes: { pass: 0, warnings: 1_200, errors: 0, unpayable: 0 },
      last24h: createLastDay(48, 'down'),
      last7d: { scored: 336, up: 192 },
      downSince: toDaysAgo(3),
      lastChallengedAt: toDaysAgo(3),
      lastPayableAt: toDaysAgo(3),
      lastFailure: createFailure({ at: NOW, since: toDaysAgo(3) }),
      settlement: { volumeUsd30d: 812.44, payers30d: 61, topPayerShare: 0.1934 },
    },
    { causes30d: { 'http-410': 144, timeout: 71, 'http-502': 25 } },
  );
}

/** Returns the size of a value as compact JSON in UTF-8, in bytes. */
function countBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value), 'utf8');
}

let healthy: TrustReport;
let down: TrustReport;
beforeAll(async () => {
  healthy = await createRealisticReport();
  down = await createDownReport();
});

test('the report of a healthy endpoint is small', () => {
  expect(healthy.recommendation).toBe('proceed');
  expect(healthy.description).toHaveLength(300);
  expect(healthy.lastFailure).not.toBeNull();
  expect(healthy.settlement?.wallets).toHaveLength(2);
  expect(healthy.compliance?.failed).toEqual([]);
  expect(healthy.compliance?.passed.length).toBeGreaterThan(60);
  expect(healthy.signature).not.toBeNull();
  expect(recompute(healthy).outcome).toBe('agrees');
  expect(countBytes(healthy)).toBeLessThan(MAX_REPORT_BYTES);
});

test('a preview with a healthy, a slow and a dead endpoint is small', async () => {
  const median = await createRealisticReport({
    ...withProbes(1_440, 1_340),
    last7d: { scored: 336, up: 310 },
    latency: { p50: 2_140, p95: 6_110, n: 1_340 },
  });
  expect(median.recommendation).toBe('caution');
  expect(down.recommendation).toBe('avoid');
  const samples = [
    { role: 'best', populationRank: 1, report: healthy },
    { role: 'median', populationRank: 602, report: median },
    { role: 'worst', populationRank: 1_204, report: down },
  ] as const;
  const preview: Preview = {
    ...{ generatedAt: healthy.generatedAt, population: 1_204 },
    populationRule: 'Graded endpoints that a directory lists, with a confidence of at least 0.30.',
    samples: [...samples],
  };
  expect(previewSchema.parse(preview)).toEqual(preview);
  expect(countBytes(preview)).toBeLessThan(MAX_PREVIEW_BYTES);
});
