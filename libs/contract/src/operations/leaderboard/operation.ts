import { z } from 'zod';
import { count, grade, link, points, share, text, time, usd } from '../../shared/scalars.ts';
import { EXAMPLE_NETWORK, LEADERBOARD_SIZE, RECOMMENDATIONS } from '../../shared/values.ts';
import { createPayload, DATABASE, FREE_GET, type Operation } from '../operation-model.ts';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { TRUST_REPORT_EXAMPLE as report } from '../trust-report/report-schema.ts';

const leaderboardEntry = z.strictObject({
  rank: z.int().min(1).max(LEADERBOARD_SIZE).describe('Rank; 1 is the best.'),
  resource: text('resource').describe('URL of the endpoint.'),
  serviceName: text('name').nullable().describe('Name from the provider. Unverified text.'),
  score: points.describe('Score from 0 to 100, one decimal.'),
  scoreLow: points.describe('Lower bound of the score range, by which the leaderboard is ordered.'),
  grade: grade.exclude(['?']).describe('Grade by the score, A to F.'),
  recommendation: z.enum(RECOMMENDATIONS).describe('Recommendation for a payer.'),
  confidence: share.min(0.5).describe('Amount of evidence behind the score, from 0 to 1, two decimals.'),
  uptime30d: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .describe('Uptime of the last 30 days in percent, one decimal; null without a scored probe.'),
  amountUsd: usd.nullable().describe('Advertised price in US dollars; null when none is advertised.'),
  network: text('address')
    .nullable()
    .describe('CAIP-2 id of the payment network, or its name as advertised. Unverified text.'),
  endpointPage: link.describe('URL of the public page of the endpoint.'),
});

export const leaderboardSchema = z.strictObject({
  generatedAt: time.describe('Time of this response.'),
  count: count.max(LEADERBOARD_SIZE).describe('Number of endpoints in this response.'),
  endpoints: z
    .array(leaderboardEntry.describe('One endpoint.'))
    .max(LEADERBOARD_SIZE)
    .describe(
      'Endpoints by the lower bound of the score range, then by score, best first: graded, listed in a directory, with a confidence of at least 0.5 and without error flags.',
    ),
});

export type Leaderboard = z.infer<typeof leaderboardSchema>;

const LEADERBOARD_EXAMPLE: Leaderboard = {
  generatedAt: report.generatedAt,
  count: 1,
  endpoints: [
    {
      rank: 1,
      resource: report.resource,
      serviceName: report.serviceName,
      score: report.score,
      scoreLow: report.scoreRange.low,
      grade: 'A',
      recommendation: report.recommendation,
      confidence: report.confidence,
      uptime30d: 99.8,
      amountUsd: '0.010000',
      network: EXAMPLE_NETWORK,
      endpointPage: report.endpointPage,
    },
  ],
};

export const LEADERBOARD_SCHEMAS = {
  leaderboard: {
    title: 'Leaderboard',
    description: `Up to ${String(LEADERBOARD_SIZE)} endpoints, by the lower bound of the score range.`,
    component: 'Leaderboard',
    schema: leaderboardSchema,
    example: LEADERBOARD_EXAMPLE,
  },
} as const satisfies PublishedSchemas;

export const leaderboardOperation: Operation = {
  ...FREE_GET,
  id: 'getLeaderboard',
  path: '/trust/leaderboard',
  summary: 'The 25 best endpoints',
  description:
    'Up to 25 endpoints, ordered by the lower bound of the score range (everything that was not measured counts as 0), then by score. So an endpoint can rank below one with a lower score. Each one has a grade, is listed in a directory, has a confidence of at least 0.5 and no error flag. Browsers and crawlers get an HTML page; `/trust/leaderboard.json` is JSON for every client.',
  tags: ['search'],
  response: createPayload(LEADERBOARD_SCHEMAS, 'leaderboard'),
  hasHtmlPage: true,
  problems: DATABASE,
  tool: {
    place: 80,
    name: 'x402_trust_leaderboard',
    title: 'The 25 best x402 endpoints',
    text: 'Use it to find reliable x402 endpoints of any purpose. Returns up to 25 endpoints with score, grade, recommendation, uptime, price and network, ordered by the lower bound of the score range. To find endpoints for a purpose, call x402_semantic_search.',
    isOpenWorld: true,
  },
};
