import { z } from 'zod';
import { count, share, time, usd } from '../../shared/scalars.ts';
import { createPayload, DATABASE, FREE_GET, type Operation } from '../operation-model.ts';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { TRUST_REPORT_EXAMPLE as report } from '../trust-report/report-schema.ts';

const gradeCount = count.describe('Number of listed endpoints with this grade.');
const recommendationCount = count.describe('Number of listed endpoints with this recommendation.');

export const statsSchema = z.strictObject({
  generatedAt: time.describe('Time of this response.'),
  endpoints: count.describe('Number of endpoints in the catalog: the sum of listed, delisted and adopted.'),
  listed: count.describe('Number of endpoints that a directory lists now.'),
  delisted: count.describe('Number of endpoints that left every directory that listed them.'),
  adopted: count.describe('Number of endpoints that a paid report added and no directory lists.'),
  reachable: count.describe('Number of listed endpoints whose latest probe succeeded.'),
  reachableShare: share
    .nullable()
    .describe(
      'Share of listed endpoints that are reachable, rounded to three decimals and 1 only for all; null before the first probe.',
    ),
  compliant: count.describe(
    'Number of listed endpoints whose latest challenge had no error that concerns payment.',
  ),
  compliantShare: share
    .nullable()
    .describe(
      'Share of listed endpoints that are compliant, rounded to three decimals and 1 only for all; null before the first probe.',
    ),
  providers: count.describe('Number of distinct hosts.'),
  probes30d: count.describe('Number of probes in the last 30 days.'),
  grades: z
    .strictObject({
      A: gradeCount,
      B: gradeCount,
      C: gradeCount,
      D: gradeCount,
      F: gradeCount,
      '?': gradeCount,
    })
    .describe('Number of listed endpoints by grade; ? means ungraded. The sum is listed.'),
  recommendations: z
    .strictObject({
      proceed: recommendationCount,
      caution: recommendationCount,
      parameterize: recommendationCount,
      avoid: recommendationCount,
      unverified: recommendationCount,
      free: recommendationCount,
    })
    .describe('Number of listed endpoints by recommendation. The sum is listed.'),
  lastProbedAt: time.nullable().describe('Time of the latest probe; null before the first.'),
  settledVolumeUsd30d: usd
    .nullable()
    .describe(
      'USDC that x402 payments of the last 30 days moved to wallets of listed endpoints, without what was sent back to payers. Computed once an hour; null if no wallet was measured.',
    ),
  receivers30d: count
    .nullable()
    .describe('Number of distinct addresses that received this volume; null with the volume.'),
  payers30d: count
    .nullable()
    .describe('Number of distinct addresses that paid this volume; null with the volume.'),
});

export type Stats = z.infer<typeof statsSchema>;

const STATS_EXAMPLE: Stats = {
  generatedAt: report.generatedAt,
  endpoints: 1_497,
  listed: 1_390,
  delisted: 95,
  adopted: 12,
  reachable: 1_103,
  reachableShare: 0.793,
  compliant: 871,
  compliantShare: 0.626,
  providers: 395,
  probes30d: 2_011_873,
  grades: { A: 214, B: 391, C: 240, D: 118, F: 241, '?': 186 },
  recommendations: {
    proceed: 553,
    caution: 302,
    parameterize: 18,
    avoid: 331,
    unverified: 161,
    free: 25,
  },
  lastProbedAt: '2026-06-01T00:00:00.000Z',
  settledVolumeUsd30d: '48210.415000',
  receivers30d: 288,
  payers30d: 3_914,
};

export const STATS_SCHEMAS = {
  stats: {
    title: 'Stats',
    description: 'The x402 ecosystem in numbers.',
    component: 'Stats',
    schema: statsSchema,
    example: STATS_EXAMPLE,
  },
} as const satisfies PublishedSchemas;

export const statsOperation: Operation = {
  ...FREE_GET,
  id: 'getStats',
  path: '/trust/stats',
  summary: 'The x402 ecosystem in numbers',
  description:
    'Number of endpoints, providers and probes, and the reachable and compliant shares, grades and recommendations of the endpoints that a directory lists, and the settled volume, receivers and payers of 30 days. Browsers and crawlers get an HTML page; `/trust/stats.json` is JSON for every client.',
  tags: ['overview'],
  response: createPayload(STATS_SCHEMAS, 'stats'),
  hasHtmlPage: true,
  problems: DATABASE,
  tool: {
    place: 90,
    name: 'x402_ecosystem_stats',
    title: 'The x402 ecosystem in numbers',
    text: 'Use it for questions on x402 as a whole. Returns the numbers of known, listed, reachable and compliant endpoints, of providers and of probes, the distribution of grades and recommendations, and the settled volume, receivers and payers of 30 days.',
    isOpenWorld: false,
  },
};
