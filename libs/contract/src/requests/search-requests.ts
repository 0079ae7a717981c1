import { z } from 'zod';
import { countCharacters } from './count-characters.ts';
import { createInputSchema, createWholeNumber, requestedResource } from './requests.ts';

/** Schemas of the requests that list endpoints by their purpose. */

/** Maximum number of endpoints in a response. */
export const MAX_RESULTS = 25;
/** Maximum length of a query without surrounding white space, in code points. */
export const MAX_QUERY_CHARS = 500;

const DEFAULT_ALTERNATIVES = 5;
/** Default minimum difference of the scores of an alternative and its subject, in points. */
export const DEFAULT_SCORE_DELTA = 5;
/** Maximum number of better alternatives that is counted: 10 means 10 or more. */
export const MAX_COUNTED_ALTERNATIVES = 10;
const MAX_SCORE_DELTA = 100;
const EXAMPLE_QUERY = 'weather forecast for a city';

const LENGTH_EXPECTATION = `must be text of 1 to ${String(MAX_QUERY_CHARS)} characters, such as "${EXAMPLE_QUERY}"`;
const CONTROL_EXPECTATION =
  'must be text without control characters and without unpaired surrogates; tabs and line breaks are allowed';
const MEANING_EXPECTATION = 'must be text with at least one letter or digit';

/** Control characters except tabs and line breaks, and unpaired surrogates. PostgreSQL cannot store all of them. */
const NOT_TEXT = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;
/** Visible letter or digit. Without one, the query has no words, so its similarities have no meaning. */
const WORD_CHARACTER = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u;

/** Returns the error message for a query that cannot be searched; null for other queries. */
function explainQuery(query: string): string | null {
  if (query === '' || countCharacters(query) > MAX_QUERY_CHARS) return LENGTH_EXPECTATION;
  if (NOT_TEXT.test(query)) return CONTROL_EXPECTATION;
  return WORD_CHARACTER.test(query) ? null : MEANING_EXPECTATION;
}

/**
 * The published schema has the limits of the length and requires one visible character. It cannot contain the other
 * rules: not every language that reads it supports Unicode properties in patterns.
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

/** Both operations have no query parameters. Unknown parameters are ignored, as in the other operations. */
const noParameters = z.object({});

export const semanticSearchInputSchema = createInputSchema(semanticSearchRequestSchema, noParameters);
export const similarInputSchema = createInputSchema(similarRequestSchema, noParameters);

/** Body of a search request, with its defaults. */
export type SemanticSearchRequest = z.infer<typeof semanticSearchRequestSchema>;
/** Body of a request for alternatives, with its defaults. */
export type SimilarRequest = z.infer<typeof similarRequestSchema>;
