import { z } from 'zod';
import {
  createInputSchema,
  createWholeNumber,
  noParameters,
  requestedResource,
} from '../../shared/requests.ts';
import { count, grade, link, points, share, text, usd } from '../../shared/scalars.ts';
import { EXAMPLE_NETWORK, RECOMMENDATIONS } from '../../shared/values.ts';
import { URL_ARGUMENT } from '../command.ts';
import { createPaidPost } from '../operation-model.ts';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { TRUST_REPORT_EXAMPLE as report } from '../trust-report/report-schema.ts';

/** Maximum number of endpoints in a response. */
export const MAX_RESULTS = 25;

const DEFAULT_ALTERNATIVES = 5;
/**
 * Default minimum difference between the score of an alternative and the score of the requested endpoint, in points.
 */
export const DEFAULT_SCORE_DELTA = 5;
/** Maximum count of better alternatives. The count 10 means 10 or more. */
export const MAX_COUNTED_ALTERNATIVES = 10;
const MAX_SCORE_DELTA = 100;

const DELTA_EXPECTATION = `must be a number from 0 to ${String(MAX_SCORE_DELTA)}`;

export const similarRequestSchema = z.strictObject({
  resource: requestedResource,
  limit: createWholeNumber(1, MAX_RESULTS)
    .default(DEFAULT_ALTERNATIVES)
    .describe('Maximum number of alternatives.')
    .meta({ examples: [DEFAULT_ALTERNATIVES] }),
  minScoreDelta: z
    .number({ error: DELTA_EXPECTATION })
    .min(0, { error: DELTA_EXPECTATION })
    .max(MAX_SCORE_DELTA, { error: DELTA_EXPECTATION })
    .default(DEFAULT_SCORE_DELTA)
    .describe('Minimum difference of the score of an alternative and the score of the endpoint, in points.')
    .meta({ examples: [DEFAULT_SCORE_DELTA] }),
});

export const similarInputSchema = createInputSchema(similarRequestSchema, noParameters);

/**
 * Minimum cosine similarity between an endpoint and its alternative. This minimum is lower than the minimum for a search
 * match (`MIN_SIMILARITY`), because an alternative also does the same job.
 */
export const MIN_ALTERNATIVE_SIMILARITY = 0.4;

/** Maximum of `withinDelta`. */
export const MAX_WITHIN_DELTA = 100;

const subject = z.strictObject({
  resource: text('resource').describe('Canonical URL of the endpoint.'),
  score: points.describe('Score from 0 to 100, one decimal.'),
  grade: grade.describe('Grade by the score, A to F; ? when ungraded.'),
  recommendation: z.enum(RECOMMENDATIONS).describe('Recommendation for a payer.'),
  endpointPage: link.describe('URL of the public page of the endpoint.'),
});

const alternative = z.strictObject({
  resource: text('resource').describe('URL of the alternative.'),
  score: points.describe('Score from 0 to 100, one decimal.'),
  grade: grade.exclude(['?']).describe('Grade by the score, A to F.'),
  recommendation: z.enum(RECOMMENDATIONS).describe('Recommendation for a payer; never avoid.'),
  confidence: share.describe('Amount of evidence from 0 to 1, two decimals.'),
  similarity: z
    .number()
    .min(MIN_ALTERNATIVE_SIMILARITY)
    .max(1)
    .describe(
      'Cosine similarity of the two descriptions, from 0.4 to 1, four decimals. Latency and location have no influence.',
    ),
  amountUsd: usd.nullable().describe('Advertised price in US dollars; null when none is advertised.'),
  network: text('address')
    .nullable()
    .describe(
      'CAIP-2 id of the payment network, or its name as advertised; null when none is known. Unverified text.',
    ),
  endpointPage: link.describe('URL of the public page of the alternative.'),
});

/** Schema of the alternatives to one endpoint: endpoints that do the same job and have a better score, best first. */
export const similarSchema = z.strictObject({
  resource: text('resource').describe('URL of the endpoint, as in the request.'),
  subject: subject.describe('The endpoint that the alternatives are compared with.'),
  count: count.max(MAX_RESULTS).describe('Number of alternatives in this response.'),
  withinDelta: count
    .max(MAX_WITHIN_DELTA)
    .describe(
      'Number of alternatives whose score is at least the score of the endpoint, as with minScoreDelta 0; at most 100.',
    ),
  alternatives: z
    .array(alternative.describe('One alternative.'))
    .max(MAX_RESULTS)
    .describe(
      'Alternatives by similarity in whole percentage points, then score, then endpoints with a description, then id; empty when no endpoint that does the same job is better. Of the endpoints of one host with the same description, only the best is returned.',
    ),
});

export type Similar = z.infer<typeof similarSchema>;

/** Example of an endpoint with better alternatives. The example of the search also contains this endpoint. */
export const AVOIDED_ENDPOINT = {
  resource: 'https://data.example.net/weather/current',
  score: 41.2,
  grade: 'D',
  endpointPage: 'https://touchstone.example/endpoint/data-example-net-weather-current-klmnopqrst',
} as const;

/** Example of a response with one alternative to an endpoint that payers should avoid. */
export const SIMILAR_EXAMPLE: Similar = {
  resource: AVOIDED_ENDPOINT.resource,
  subject: { ...AVOIDED_ENDPOINT, recommendation: 'avoid' },
  count: 1,
  withinDelta: 1,
  alternatives: [
    {
      resource: report.resource,
      score: report.score,
      grade: 'A',
      recommendation: report.recommendation,
      confidence: report.confidence,
      similarity: 0.8671,
      amountUsd: '0.010000',
      network: EXAMPLE_NETWORK,
      endpointPage: report.endpointPage,
    },
  ],
};

export const SIMILAR_SCHEMAS = {
  similar: {
    title: 'Alternatives',
    description: 'Endpoints that do the same job as one x402 endpoint and have a better score, best first.',
    component: 'Similar',
    schema: similarSchema,
    example: SIMILAR_EXAMPLE,
  },
  'similar-request': {
    title: 'Alternatives request',
    description: 'Endpoint, maximum number of alternatives and minimum difference of the scores.',
    component: 'SimilarRequest',
    schema: similarRequestSchema,
    isRequest: true,
    example: { resource: AVOIDED_ENDPOINT.resource, limit: 5, minScoreDelta: 5 },
  },
} as const satisfies PublishedSchemas;

export const similarOperation = createPaidPost(SIMILAR_SCHEMAS, {
  id: 'findAlternatives',
  path: '/v1/similar',
  priceUsd: '0.005000',
  summary: 'Better-scored alternatives to one x402 endpoint',
  description:
    'Finds endpoints that do the same job with a trust score at least minScoreDelta points better. Order: cosine similarity in whole percentage points, then trust score, then described endpoints, then id. Left out: another job, similarity below 0.4, the same host, delisted, no grade, avoid, copies on one host. Exact up to 5,000 texts; above, 1 to 2 % of results differ. An empty list is charged, an unknown endpoint not. Buy a report before you pay one.',
  tags: ['search'],
  request: 'similar-request',
  response: 'similar',
  outputExample: { alternatives: SIMILAR_EXAMPLE.alternatives },
  problems: ['unknown-resource', 'search-unavailable'],
  command: {
    name: 'similar',
    summary: 'Finds better endpoints with the same purpose, paid with a wallet through x402.',
    argument: URL_ARGUMENT,
    options: [
      {
        member: 'limit',
        flags: '--limit <n>',
        text: 'maximum number of alternatives, 1 to 25 (default: 5)',
        kind: 'number',
      },
      {
        member: 'minScoreDelta',
        flags: '--min-score-delta <n>',
        text: 'minimum lead of an alternative in points, 0 to 100 (default: 5)',
        kind: 'number',
      },
    ],
    maxUsd: null,
    product: {
      name: 'a list of alternatives',
      description:
        'the alternatives to {resource}, at most {limit}, each with at least {minScoreDelta} points more',
    },
    examples: [
      'touchstone similar --sandbox https://skyfall.sandbox.test/v2/current',
      "touchstone similar --yes --json https://api.example.com/v1/weather | jq -r '.alternatives[0].resource'",
    ],
  },
  tool: {
    place: 30,
    name: 'x402_find_alternatives',
    title: 'Better alternatives to an x402 endpoint',
    text: 'Use it when an endpoint should be avoided or is too expensive or slow, unless betterAlternatives of x402_summary is 0. Returns endpoints of other hosts that do the same job and have a score at least minScoreDelta points better, each with grade, recommendation, confidence, price and network. An empty list means that none is better, and is charged too. Next: call x402_summary or x402_trust_score for the alternative that you want to pay.',
    isOpenWorld: true,
  },
});
