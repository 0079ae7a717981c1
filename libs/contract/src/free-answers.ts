import { z } from 'zod';
import { count, link, points, share, text, time, usd } from './scalars.ts';
import { trustReportSchema } from './trust-report.ts';
import { grade, RECOMMENDATIONS } from './trust-verdict.ts';

/** The answers of operations that cost nothing. */

const LEADERBOARD_SIZE = 25;

const sample = z.strictObject({
  role: z.enum(['best', 'median', 'worst']).describe('Which of the ranking it is.'),
  populationRank: z.int().min(1).describe('Its rank by score, the best is 1.'),
  report: trustReportSchema.describe('The complete report, with every field of a paid one.'),
});

export const previewSchema = z.strictObject({
  generatedAt: time.describe('When this answer was made.'),
  population: count.describe('Graded, listed endpoints that the ranks are among.'),
  samples: z
    .array(sample.describe('One of the three.'))
    .max(3)
    .describe('The best-scored endpoint, the median and the worst-scored one; none where nothing is graded.'),
});

const ranked = z.strictObject({
  rank: z.int().min(1).max(LEADERBOARD_SIZE).describe('From 1, the best.'),
  resource: text('resource').describe('URL of the endpoint.'),
  serviceName: text('name').nullable().describe('Name that the provider gives it. Unverified text.'),
  score: points.describe('0 to 100, one decimal.'),
  grade: grade.exclude(['?']).describe('A to F by the score.'),
  recommendation: z.enum(RECOMMENDATIONS).describe('What a payer is advised to do.'),
  confidence: share.min(0.5).describe('How much the score can be relied on, two decimals.'),
  uptime30d: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .describe('Uptime of 30 days in percent, one decimal; null where no probe counted.'),
  amountUsd: usd.nullable().describe('Advertised price in US dollars; null where there is none.'),
  network: text('address').nullable().describe('CAIP-2 id of the network it is paid on.'),
  endpointPage: link.describe('The public page of the endpoint.'),
});

export const leaderboardSchema = z.strictObject({
  generatedAt: time.describe('When this answer was made.'),
  count: count.max(LEADERBOARD_SIZE).describe('How many endpoints follow.'),
  endpoints: z
    .array(ranked.describe('One endpoint.'))
    .max(LEADERBOARD_SIZE)
    .describe(
      'The best-scored endpoints, best first: graded and listed, with confidence of at least 0.5 and no error flag.',
    ),
});

const ofGrade = count.describe('Endpoints with this grade.');
const ofRecommendation = count.describe('Endpoints with this recommendation.');

export const statsSchema = z.strictObject({
  generatedAt: time.describe('When this answer was made.'),
  endpoints: count.describe('Endpoints in the catalog.'),
  listed: count.describe('Those that a directory lists now.'),
  delisted: count.describe('Those that no directory lists any more.'),
  providers: count.describe('Distinct hosts.'),
  probes30d: count.describe('Probes of the last 30 days.'),
  grades: z
    .strictObject({ A: ofGrade, B: ofGrade, C: ofGrade, D: ofGrade, F: ofGrade, '?': ofGrade })
    .describe('Endpoints by grade; ? is ungraded.'),
  recommendations: z
    .strictObject({
      proceed: ofRecommendation,
      caution: ofRecommendation,
      parameterize: ofRecommendation,
      avoid: ofRecommendation,
      unverified: ofRecommendation,
      free: ofRecommendation,
    })
    .describe('Endpoints by recommendation.'),
  lastProbedAt: time.nullable().describe('When the latest probe was made; null before the first.'),
});

export type Preview = z.infer<typeof previewSchema>;
export type Leaderboard = z.infer<typeof leaderboardSchema>;
export type Stats = z.infer<typeof statsSchema>;
