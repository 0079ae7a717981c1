import { z } from 'zod';
import {
  countCharacters,
  createInputSchema,
  createWholeNumber,
  noParameters,
} from '../../shared/requests.ts';
import { count, grade, link, points, share, text } from '../../shared/scalars.ts';
import { createPaidPost } from '../operation-model.ts';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { AVOIDED_ENDPOINT, MAX_RESULTS } from '../similar/operation.ts';
import { TRUST_REPORT_EXAMPLE as report } from '../trust-report/report-schema.ts';

/** Maximum length of a query without surrounding white space, in code points. */
const MAX_QUERY_CHARS = 500;

const EXAMPLE_QUERY = 'weather forecast for a city';

const LENGTH_EXPECTATION = `must be text of 1 to ${String(MAX_QUERY_CHARS)} characters, such as "${EXAMPLE_QUERY}"`;
const CONTROL_EXPECTATION =
  'must be text without control characters and without unpaired surrogates; tabs and line breaks are allowed';
const MEANING_EXPECTATION = 'must be text with at least one letter';

/**
 * Pattern of control characters except tabs and line breaks, and of lone surrogates. PostgreSQL cannot store some of
 * these characters.
 */
const NOT_TEXT = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;
/** Pattern of a visible letter. A query without letters has no words, so its similarities have no meaning. */
const WORD_CHARACTER = /(?!\p{Default_Ignorable_Code_Point})\p{L}/u;

/** Returns the error message for a query that cannot be searched; null for other queries. */
function explainQuery(query: string): string | null {
  if (query === '' || countCharacters(query) > MAX_QUERY_CHARS) return LENGTH_EXPECTATION;
  if (NOT_TEXT.test(query)) return CONTROL_EXPECTATION;
  return WORD_CHARACTER.test(query) ? null : MEANING_EXPECTATION;
}

/**
 * The published schema has the length limits and requires one visible character. The schema omits the other rules,
 * because some languages that read the schema do not support Unicode properties in patterns.
 */
const query = z
  .string({ error: LENGTH_EXPECTATION })
  .trim()
  .refine((value) => explainQuery(value) === null, {
    error: ({ input }) => (typeof input === 'string' ? explainQuery(input) : null) ?? LENGTH_EXPECTATION,
  })
  .describe('Purpose of the wanted endpoints in free text. Surrounding white space is removed.')
  .meta({ minLength: 1, maxLength: MAX_QUERY_CHARS, pattern: '\\S', examples: [EXAMPLE_QUERY] });

export const semanticSearchRequestSchema = z.strictObject({
  query,
  limit: createWholeNumber(1, MAX_RESULTS)
    .default(MAX_RESULTS)
    .describe('Maximum number of matches.')
    .meta({ examples: [MAX_RESULTS] }),
});

export const semanticSearchInputSchema = createInputSchema(semanticSearchRequestSchema, noParameters);

/** Minimum cosine similarity of a match. Endpoints with a lower similarity are left out. */
export const MIN_SIMILARITY = 0.5;

const match = z.strictObject({
  id: text('name').describe('Id of the endpoint in the catalog.'),
  resource: text('resource').describe('URL of the endpoint.'),
  score: points.nullable().describe('Score from 0 to 100, one decimal; null when the endpoint is unscored.'),
  grade: grade
    .exclude(['?'])
    .nullable()
    .describe('Grade by the score, A to F; null when the endpoint is unscored.'),
  confidence: share
    .nullable()
    .describe('Amount of evidence from 0 to 1, two decimals; null when the endpoint is unscored.'),
  similarity: z
    .number()
    .min(MIN_SIMILARITY)
    .max(1)
    .describe(
      'Cosine similarity of the query and the endpoint, from 0.5 to 1, four decimals. A query with a known short word, such as TTS, is also compared in full words, and the better similarity counts.',
    ),
  description: text('matchDescription')
    .exactOptional()
    .describe(
      'Description from the provider, at most 500 characters; absent when there is none. Unverified text.',
    ),
  endpointPage: link.describe('URL of the public page of the endpoint.'),
});

/** Schema of a search result: the endpoints that match a description, best first. */
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
      'Matches by similarity in whole percentage points, then score, then endpoints with a description, then id. Similarities below 0.5 are left out, and of the endpoints of one host with the same description, all but the best.',
    ),
});

export type SemanticSearch = z.infer<typeof semanticSearchSchema>;

/**
 * Matches of the example request: a described endpoint, an endpoint with a low score, and an endpoint without a score
 * and description.
 */
const SEMANTIC_SEARCH_EXAMPLE: SemanticSearch = {
  query: EXAMPLE_QUERY,
  count: 3,
  matches: [
    {
      id: report.endpointId,
      resource: report.resource,
      score: report.score,
      grade: 'A',
      confidence: report.confidence,
      similarity: 0.8214,
      description: 'Current weather and a seven-day forecast for any city.',
      endpointPage: report.endpointPage,
    },
    {
      id: 'klmnopqrst',
      ...AVOIDED_ENDPOINT,
      confidence: 0.97,
      similarity: 0.7486,
      description: 'Weather conditions by city name.',
    },
    {
      id: 'uvwxyzabcd',
      resource: 'https://meteo.example.org/v2/forecast',
      score: null,
      grade: null,
      confidence: null,
      similarity: 0.6127,
      endpointPage: 'https://touchstone.example/endpoint/meteo-example-org-forecast-uvwxyzabcd',
    },
  ],
};

export const SEMANTIC_SEARCH_SCHEMAS = {
  'semantic-search': {
    title: 'Semantic search',
    description: 'Endpoints that match a description, best first.',
    component: 'SemanticSearch',
    schema: semanticSearchSchema,
    example: SEMANTIC_SEARCH_EXAMPLE,
  },
  'semantic-search-request': {
    title: 'Semantic search request',
    description: 'Description of the wanted endpoints, and the maximum number of matches.',
    component: 'SemanticSearchRequest',
    schema: semanticSearchRequestSchema,
    isRequest: true,
    example: { query: EXAMPLE_QUERY, limit: 10 },
  },
} as const satisfies PublishedSchemas;

export const semanticSearchOperation = createPaidPost(SEMANTIC_SEARCH_SCHEMAS, {
  id: 'searchEndpoints',
  path: '/v1/semantic-search',
  priceUsd: '0.001000',
  summary: 'Endpoints that match a description',
  description:
    'Finds endpoints by a free-text description of their purpose. Order: cosine similarity in whole percentage points, then trust score, then endpoints with a description, then id. A host has one match per description. Left out: similarity below 0.5, delisted endpoints. A short or an empty list is charged too. Exact up to 5,000 texts; above, 1 to 2 % of results differ. Discovery only, without recommendation or flags: buy a trust report before you pay an endpoint.',
  tags: ['search'],
  request: 'semantic-search-request',
  response: 'semantic-search',
  outputExample: {
    query: SEMANTIC_SEARCH_EXAMPLE.query,
    count: SEMANTIC_SEARCH_EXAMPLE.count,
    matches: SEMANTIC_SEARCH_EXAMPLE.matches.slice(0, 1),
  },
  problems: ['search-unavailable'],
  command: {
    name: 'search',
    summary: 'Finds endpoints by what they do, paid with a wallet through x402.',
    argument: {
      member: 'query',
      name: 'query',
      text: 'what the endpoint should do, in at most 500 characters',
    },
    options: [
      {
        member: 'limit',
        flags: '--limit <n>',
        text: 'maximum number of matches, 1 to 25 (default: 25)',
        kind: 'number',
      },
    ],
    maxUsd: null,
    product: {
      name: 'a list of matches',
      description: 'the endpoints that match "{query}", at most {limit}',
    },
    examples: [
      'touchstone search --sandbox "current weather for a city"',
      `touchstone search --yes --json --limit 5 "translate text" | jq -r '.matches[].resource'`,
    ],
  },
  tool: {
    place: 40,
    name: 'x402_semantic_search',
    title: 'Search for x402 endpoints by purpose',
    text: 'Use it to find paid APIs for a task. Describe the purpose in plain words, such as "weather forecast for a city". Returns matching endpoints with score, grade and confidence, without recommendation. The most similar is first, and may be one to avoid. Fewer matches than the limit, or none, are charged too. Next: call x402_summary or x402_trust_score for a match before you pay it.',
    isOpenWorld: true,
  },
});
