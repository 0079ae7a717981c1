import { z } from 'zod';
import { MAX_BULK_RESOURCES } from '../requests/bulk-requests.ts';
import { count, link, points, share, slug, text, time } from './scalars.ts';
import { grade } from './trust-verdict.ts';
import { RECOMMENDATIONS } from '../verdict-values.ts';

export const BULK_SCHEMA_TYPE = 'x402-trust-bulk';
/**
 * Semantic version of the bulk schema. A new field is a minor version; a changed or removed field is a major version.
 */
export const BULK_SCHEMA_VERSION = '1.0.0';

const result = z.strictObject({
  resource: text('resource').describe('URL of the endpoint, as in the request.'),
  found: z.boolean().describe('True when the endpoint is in the catalog. All other fields are null if not.'),
  score: points.nullable().describe('Score from 0 to 100, one decimal; null when not found.'),
  grade: grade.nullable().describe('Grade by the score, A to F; ? when ungraded; null when not found.'),
  recommendation: z
    .enum(RECOMMENDATIONS)
    .nullable()
    .describe('Recommendation for a payer; null when not found.'),
  confidence: share
    .nullable()
    .describe('Reliability of the score from 0 to 1, two decimals; null when not found.'),
  error_flags: z
    .array(slug.describe('Slug of a flag.'))
    .max(64)
    .nullable()
    .describe('Slugs of the error flags. Each one means: do not pay. Null when not found.'),
  probed_at: time.nullable().describe('Time of the latest probe; null before the first, and when not found.'),
  computed_at: time.nullable().describe('Time at which the score was computed; null when not found.'),
  endpointPage: link.nullable().describe('URL of the public page of the endpoint; null when not found.'),
});

/** Schema of the scores of many endpoints. They are stored scores: no endpoint is probed for the request. */
export const bulkSchema = z.strictObject({
  $schema: link.describe('URL of the JSON Schema of this response.'),
  schemaVersion: z.literal(BULK_SCHEMA_VERSION).describe('Semver of the schema.'),
  schemaType: z.literal(BULK_SCHEMA_TYPE).describe('Discriminator of bulk responses.'),
  generatedAt: time.describe('Time of this response.'),
  count: count.max(MAX_BULK_RESOURCES).describe('Number of results: one for each requested URL.'),
  found: count.max(MAX_BULK_RESOURCES).describe('Number of results whose endpoint is in the catalog.'),
  results: z
    .array(result.describe('One result.'))
    .max(MAX_BULK_RESOURCES)
    .describe('Results in the order of the request. A URL that was sent twice has two results.'),
});

export type Bulk = z.infer<typeof bulkSchema>;

/** Members of the result for a URL that is not in the catalog, without the URL. */
export const NOT_IN_CATALOG: Omit<Bulk['results'][number], 'resource'> = {
  found: false,
  score: null,
  grade: null,
  recommendation: null,
  confidence: null,
  error_flags: null,
  probed_at: null,
  computed_at: null,
  endpointPage: null,
};
