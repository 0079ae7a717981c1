import { z } from 'zod';
import { createInputSchema, noParameters, requestedResource } from '../../shared/requests.ts';
import { count, grade, link, points, share, slug, text, time } from '../../shared/scalars.ts';
import { DELIVERY_STATES, RECOMMENDATIONS } from '../../shared/values.ts';
import type { OperationCommand } from '../command.ts';
import { createPaidPost, type Operation, type ToolText } from '../operation-model.ts';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { SIMILAR_EXAMPLE } from '../similar/operation.ts';
import { TRUST_REPORT_EXAMPLE as report } from '../trust-report/report-schema.ts';

/** Maximum numbers of URLs of the five bulk operations, ascending. Each size has its own path and price. */
export const BULK_SIZES = [10, 50, 100, 200, 500] as const;
export type BulkSize = (typeof BULK_SIZES)[number];

/** Maximum number of URLs of the largest bulk operation. */
export const MAX_BULK_RESOURCES = 500;

/**
 * Returns the smallest bulk size for a number of URLs.
 *
 * @param count number of URLs, from 1 to 500
 * @throws RangeError for any other number
 */
export function chooseBulkSize(count: number): BulkSize {
  const size = Number.isInteger(count) && count > 0 ? BULK_SIZES.find((each) => count <= each) : undefined;
  if (size === undefined) {
    throw new RangeError(`count must be a whole number from 1 to 500; received ${String(count)}.`);
  }
  return size;
}

export function toBulkPath(size: BulkSize): string {
  return `/v1/x402-trust-bulk-${String(size)}`;
}

export function createBulkRequestSchema(size: BulkSize) {
  const error = `must be a list of 1 to ${String(size)} URLs of endpoints`;
  return z.strictObject({
    resources: z
      .array(requestedResource, { error })
      // zod's checks `min` and `max` would report a second mistake for a string, because a string also has a length.
      .refine((list) => list.length >= 1 && list.length <= size, { error })
      .describe('Full URLs of the endpoints, as directories list them. The body has at most 64 KiB.')
      .meta({ minItems: 1, maxItems: size }),
  });
}

/** Creates the schema that parses a complete bulk request: `{ body, query, params }`. */
export function createBulkInputSchema(size: BulkSize) {
  return createInputSchema(createBulkRequestSchema(size), noParameters);
}

export const BULK_SCHEMA_TYPE = 'x402-trust-bulk';
/** Semver of the schema: a new field is a minor version, a changed or removed field is a major version. */
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
    .describe('Amount of evidence behind the score, from 0 to 1, two decimals; null when not found.'),
  error_flags: z
    .array(slug.describe('Slug of a flag.'))
    .max(64)
    .nullable()
    .describe('Slugs of the error flags. Each one means: do not pay. Null when not found.'),
  delivery: z
    .enum(DELIVERY_STATES)
    .nullable()
    .describe(
      'What test purchases of this service show: delivered, mixed or failed (delivery.state of the report). Null without such purchases, and when not found.',
    ),
  probed_at: time.nullable().describe('Time of the latest probe; null before the first, and when not found.'),
  computed_at: time.nullable().describe('Time at which the score was computed; null when not found.'),
  endpointPage: link.nullable().describe('URL of the public page of the endpoint; null when not found.'),
  schemeVariant: text('resource')
    .nullable()
    .describe(
      'When not found: URL of the catalog that differs only by its scheme, http or https. Request that URL. Else null.',
    ),
});

/** Schema of the scores of many endpoints. The scores are read from the database, without live probes. */
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
  delivery: null,
  probed_at: null,
  computed_at: null,
  endpointPage: null,
  schemeVariant: null,
};

const { subject } = SIMILAR_EXAMPLE;
const UNKNOWN_RESOURCE = 'https://unknown.example.org/data';

const BULK_REQUEST_EXAMPLE = { resources: [report.resource, subject.resource, UNKNOWN_RESOURCE] };

/** Results of the example request: a good endpoint, an endpoint that payers should avoid, and an unknown endpoint. */
const BULK_EXAMPLE: Bulk = {
  $schema: 'https://touchstone.example/schemas/x402-trust-bulk/1.0.0.json',
  schemaVersion: '1.0.0',
  schemaType: 'x402-trust-bulk',
  generatedAt: report.generatedAt,
  count: 3,
  found: 2,
  results: [
    {
      resource: report.resource,
      found: true,
      score: report.score,
      grade: 'A',
      recommendation: report.recommendation,
      confidence: report.confidence,
      error_flags: [],
      delivery: 'delivered',
      probed_at: '2026-06-01T00:00:00.000Z',
      computed_at: '2026-05-31T23:45:36.000Z',
      endpointPage: report.endpointPage,
      schemeVariant: null,
    },
    {
      resource: subject.resource,
      found: true,
      score: subject.score,
      grade: subject.grade,
      recommendation: subject.recommendation,
      confidence: 0.97,
      error_flags: ['down-now'],
      delivery: null,
      probed_at: '2026-05-31T23:52:10.000Z',
      computed_at: '2026-05-31T23:45:36.000Z',
      endpointPage: subject.endpointPage,
      schemeVariant: null,
    },
    {
      resource: UNKNOWN_RESOURCE,
      ...NOT_IN_CATALOG,
    },
  ],
};

function createBulkRequest(size: BulkSize) {
  return {
    title: `Bulk request for ${String(size)} endpoints`,
    description: `At most ${String(size)} endpoints of the requested scores.`,
    component: `TrustBulk${String(size)}Request`,
    schema: createBulkRequestSchema(size),
    isRequest: true,
    example: BULK_REQUEST_EXAMPLE,
  } as const satisfies PublishedSchemas[string];
}

export const BULK_SCHEMAS = {
  [BULK_SCHEMA_TYPE]: {
    title: 'Bulk scores',
    description: 'Stored scores and recommendations of many x402 endpoints, in the order of the request.',
    component: 'TrustBulk',
    schema: bulkSchema,
    example: BULK_EXAMPLE,
  },
  'x402-trust-bulk-10-request': createBulkRequest(10),
  'x402-trust-bulk-50-request': createBulkRequest(50),
  'x402-trust-bulk-100-request': createBulkRequest(100),
  'x402-trust-bulk-200-request': createBulkRequest(200),
  'x402-trust-bulk-500-request': createBulkRequest(500),
} as const satisfies PublishedSchemas;

const PRICES_USD: Readonly<Record<BulkSize, string>> = {
  10: '0.045000',
  50: '0.200000',
  100: '0.325000',
  200: '0.400000',
  500: '0.500000',
};

const COMMAND: OperationCommand = {
  name: 'bulk',
  summary: 'Buys the scores of a list of endpoints with a wallet through x402.',
  argument: {
    member: 'resources',
    name: 'file',
    text: 'file with the URLs of the endpoints; - reads standard input',
  },
  options: [],
  maxUsd: '0.50',
  product: null,
  examples: [
    'touchstone bulk --sandbox urls.txt',
    `touchstone search --yes --json "weather" | jq '[.matches[].resource]' | touchstone bulk --yes -`,
    `touchstone bulk --yes --json urls.txt | jq -r '.results[] | select(.grade == "A") | .resource'`,
  ],
};

const TOOL: ToolText = {
  place: 60,
  name: 'x402_trust_bulk',
  title: 'Trust scores of many x402 endpoints',
  text: 'Use it to compare or filter up to 500 known endpoints with one payment. For up to 8, x402_trust_score for each costs less; for 11 to 40, calls with 10 each. Returns score, grade, recommendation, confidence, error flags and delivery state of each one, in the order of the request, without live probes; a long result has one line of CSV for each. If no endpoint is in the catalog, nothing is charged. Next: call x402_trust_score for the endpoint that you want to pay.',
  isOpenWorld: true,
};

export function createBulkOperation(size: BulkSize): Operation {
  return createPaidPost(BULK_SCHEMAS, {
    id: `getTrustBulk${String(size)}`,
    path: toBulkPath(size),
    priceUsd: PRICES_USD[size],
    summary: `Trust scores of up to ${String(size)} x402 endpoints`,
    description: `Score, grade, recommendation, confidence, error flags and delivery state of up to ${String(size)} endpoints of the catalog, in the order of the request. The scores are read from the database, without live probes. Each result has the times of its latest probe and score. URLs that are not in the catalog have found: false. If none of the URLs is in the catalog, nothing is charged.`,
    tags: ['trust'],
    request: `x402-trust-bulk-${size}-request`,
    response: 'x402-trust-bulk',
    outputExample: {
      count: BULK_EXAMPLE.count,
      found: BULK_EXAMPLE.found,
      results: BULK_EXAMPLE.results.slice(0, 1),
    },
    problems: ['unknown-resource'],
    command: COMMAND,
    tool: TOOL,
  });
}

export const BULK_OPERATIONS: readonly Operation[] = BULK_SIZES.map(createBulkOperation);
