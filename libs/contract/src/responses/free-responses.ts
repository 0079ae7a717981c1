import { z } from 'zod';
import { count, link, points, share, text, time, usd } from './scalars.ts';
import { trustReportSchema } from './trust-report.ts';
import { grade } from './trust-verdict.ts';
import { RECOMMENDATIONS } from '../verdict-values.ts';

/** Schemas of the responses of free operations. */

const LEADERBOARD_SIZE = 25;

const sample = z.strictObject({
  role: z.enum(['best', 'median', 'worst']).describe('Position in the ranking.'),
  populationRank: z
    .int()
    .min(1)
    .describe('Rank by the lower bound of the score range, then by score; 1 is the best.'),
  report: trustReportSchema.describe('Complete report with every field of a paid report.'),
});

export const previewSchema = z.strictObject({
  generatedAt: time.describe('Time of this response.'),
  population: count.describe('Number of endpoints in the ranking.'),
  populationRule: text('sentence').describe('Rule that decides which endpoints are in the ranking.'),
  samples: z
    .array(sample.describe('One sample.'))
    .max(3)
    .describe(
      'The endpoints with the best, the median and the worst score; empty when no endpoint is graded.',
    ),
});

const leaderboardEntry = z.strictObject({
  rank: z.int().min(1).max(LEADERBOARD_SIZE).describe('Rank; 1 is the best.'),
  resource: text('resource').describe('URL of the endpoint.'),
  serviceName: text('name').nullable().describe('Name from the provider. Unverified text.'),
  score: points.describe('Score from 0 to 100, one decimal.'),
  scoreLow: points.describe('Lower bound of the score range, by which the leaderboard is ordered.'),
  grade: grade.exclude(['?']).describe('Grade by the score, A to F.'),
  recommendation: z.enum(RECOMMENDATIONS).describe('Recommendation for a payer.'),
  confidence: share.min(0.5).describe('Reliability of the score from 0 to 1, two decimals.'),
  uptime30d: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .describe('Uptime of the last 30 days in percent, one decimal; null without a scored probe.'),
  amountUsd: usd.nullable().describe('Advertised price in US dollars; null when none is advertised.'),
  network: text('address').nullable().describe('CAIP-2 id of the payment network.'),
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

const gradeCount = count.describe('Number of endpoints with this grade.');
const recommendationCount = count.describe('Number of endpoints with this recommendation.');

export const statsSchema = z.strictObject({
  generatedAt: time.describe('Time of this response.'),
  endpoints: count.describe('Number of endpoints in the catalog.'),
  listed: count.describe('Number of endpoints that a directory lists now.'),
  delisted: count.describe('Number of endpoints that no directory lists any more.'),
  adopted: count.describe('Number of endpoints that a paid report added and no directory lists.'),
  reachable: count.describe('Number of endpoints whose latest probe succeeded.'),
  reachableShare: share.nullable().describe('Share of reachable endpoints; null without endpoints.'),
  compliant: count.describe('Number of endpoints whose latest challenge had no error that concerns payment.'),
  compliantShare: share.nullable().describe('Share of compliant endpoints; null without endpoints.'),
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
    .describe('Number of endpoints by grade; ? means ungraded.'),
  recommendations: z
    .strictObject({
      proceed: recommendationCount,
      caution: recommendationCount,
      parameterize: recommendationCount,
      avoid: recommendationCount,
      unverified: recommendationCount,
      free: recommendationCount,
    })
    .describe('Number of endpoints by recommendation.'),
  lastProbedAt: time.nullable().describe('Time of the latest probe; null before the first.'),
});

export type Preview = z.infer<typeof previewSchema>;
export type Leaderboard = z.infer<typeof leaderboardSchema>;
export type Stats = z.infer<typeof statsSchema>;
