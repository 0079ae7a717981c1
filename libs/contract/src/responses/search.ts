import { z } from 'zod';
import { countCharacters } from '../requests/count-characters.ts';
import { MAX_QUERY_CHARS, MAX_RESULTS } from '../requests/search-requests.ts';
import { count, link, points, text, usd } from './scalars.ts';
import { grade } from './trust-verdict.ts';
import { RECOMMENDATIONS } from '../verdict-values.ts';

/** Schemas of the responses that list endpoints by their purpose. */

/** Lowest cosine similarity of a match. Endpoints with a lower similarity are left out. */
export const MIN_SIMILARITY = 0.5;
/**
 * Lowest cosine similarity of an alternative. It is higher than that of a match, because unrelated descriptions are more
 * similar to each other than to a query (see decision 30).
 */
export const MIN_ALTERNATIVE_SIMILARITY = 0.55;

const match = z.strictObject({
  id: text('name').describe('Id of the endpoint in the catalog.'),
  resource: text('resource').describe('URL of the endpoint.'),
  score: points.nullable().describe('Score from 0 to 100, one decimal; null when the endpoint is unscored.'),
  grade: grade
    .exclude(['?'])
    .nullable()
    .describe('Grade by the score, A to F; null when the endpoint is unscored.'),
  similarity: z
    .number()
    .min(MIN_SIMILARITY)
    .max(1)
    .describe('Cosine similarity of the query and the endpoint, from 0.5 to 1, four decimals.'),
  description: text('matchDescription')
    .exactOptional()
    .describe(
      'Description from the provider, at most 500 characters; absent when there is none. Unverified text.',
    ),
  endpointPage: link.describe('URL of the public page of the endpoint.'),
});

/** Endpoints that match a description, best first. */
export const semanticSearchSchema = z.strictObject({
  query: z
    .string()
    .refine((value) => countCharacters(value) <= MAX_QUERY_CHARS)
    .meta({ maxLength: MAX_QUERY_CHARS })
    .describe('The query, without surrounding white space.'),
  count: count.max(MAX_RESULTS).describe('Number of matches in this response.'),
  matches: z
    .array(match.describe('One match.'))
    .max(MAX_RESULTS)
    .describe(
      'Matches by similarity in whole percentage points, then score, then endpoints with a description, then id. Similarities below 0.5 are left out.',
    ),
});

const subject = z.strictObject({
  resource: text('resource').describe('Canonical URL of the endpoint.'),
  score: points
    .nullable()
    .describe('Score from 0 to 100, one decimal; null when the endpoint is not in the catalog.'),
  grade: grade
    .nullable()
    .describe('Grade by the score, A to F; ? when ungraded; null when the endpoint is not in the catalog.'),
  recommendation: z
    .enum(RECOMMENDATIONS)
    .nullable()
    .describe('Recommendation for a payer; null when the endpoint is not in the catalog.'),
  endpointPage: link
    .nullable()
    .describe('URL of the public page of the endpoint; null when the endpoint is not in the catalog.'),
});

const alternative = z.strictObject({
  resource: text('resource').describe('URL of the alternative.'),
  score: points.describe('Score from 0 to 100, one decimal.'),
  grade: grade.exclude(['?']).describe('Grade by the score, A to F.'),
  recommendation: z.enum(RECOMMENDATIONS).describe('Recommendation for a payer; never avoid.'),
  similarity: z
    .number()
    .min(MIN_ALTERNATIVE_SIMILARITY)
    .max(1)
    .describe(
      'Cosine similarity of the two descriptions, from 0.55 to 1, four decimals. Latency and location have no influence.',
    ),
  amountUsd: usd.nullable().describe('Advertised price in US dollars; null when none is advertised.'),
  network: text('address').nullable().describe('CAIP-2 id of the payment network; null when none is known.'),
  endpointPage: link.describe('URL of the public page of the alternative.'),
});

/** Endpoints with the same purpose as one endpoint and a better score, best first. */
export const similarSchema = z.strictObject({
  resource: text('resource').describe('URL of the endpoint, as in the request.'),
  subject: subject.describe('The endpoint that the alternatives are compared with.'),
  count: count.max(MAX_RESULTS).describe('Number of alternatives in this response.'),
  alternatives: z
    .array(alternative.describe('One alternative.'))
    .max(MAX_RESULTS)
    .describe(
      'Alternatives by similarity in whole percentage points, then score, then endpoints with a description, then id; empty when no endpoint with this purpose is better.',
    ),
});

export type SemanticSearch = z.infer<typeof semanticSearchSchema>;
export type Similar = z.infer<typeof similarSchema>;
