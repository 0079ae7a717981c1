import { z } from 'zod';
import { HISTORY_EXAMPLE } from '../examples/history.ts';
import { TRUST_REPORT_EXAMPLE } from '../examples/trust-report.ts';
import type { Operation, RequestBody } from './operation.ts';
import { historyQuerySchema, trustQuerySchema } from '../requests/requests.ts';
import type { ProblemCode } from '../responses/problem.ts';
import { SCHEMAS, type SchemaName } from '../schemas/schemas.ts';
import { KEY_SET_PATH } from '../responses/signature.ts';

/** Error codes of an operation that reads the database and has a rate limit. */
const DATABASE = ['rate-limited', 'internal'] as const satisfies readonly ProblemCode[];
/** Error codes of an operation that returns a document. Documents are generated in memory and have no rate limit. */
const DOCUMENT = ['internal'] as const satisfies readonly ProblemCode[];
const BODY = ['invalid-request', 'body-too-large', 'unsupported-media-type'] as const;
const PAID = ['invalid-payment', 'payment-in-progress', 'payment-reused', 'payment-unavailable'] as const;

function createPayload(schemaName: SchemaName): Operation['response'] & { readonly schemaName: SchemaName } {
  const { schema, example } = SCHEMAS[schemaName];
  return { schema, schemaName, example: { ...example } };
}

function createRequestBody(schemaName: SchemaName, required: boolean): RequestBody {
  return { ...createPayload(schemaName), required };
}

const FREE = {
  priceUsd: null,
  parameters: [],
  requestBody: null,
  outputExample: null,
  hasHtmlPage: false,
  isCacheableDocument: false,
} as const;

const { resource, score, grade, recommendation, reasons, confidence, breakdown, flags } =
  TRUST_REPORT_EXAMPLE;

const PREVIEW = {
  ...FREE,
  path: '/v1/x402-trust-preview',
  description:
    'Three complete trust reports with every field of a paid report: of the endpoints with the best, the median and the worst score. The caller cannot choose the endpoints.',
  tags: ['overview'],
  response: createPayload('x402-trust-preview'),
} as const;

const openApiSchema = z.looseObject({
  openapi: z.literal('3.1.0').describe('Version of the OpenAPI specification.'),
  info: z
    .looseObject({ version: z.string().describe('Version of the interface.') })
    .describe('Metadata of the API.'),
  paths: z.record(z.string(), z.unknown()).describe('The operations.'),
});

/** All operations of the API, in display order. */
export const OPERATIONS: readonly Operation[] = [
  {
    id: 'getTrustReport',
    method: 'POST',
    path: '/v1/x402-trust',
    parameters: [
      {
        in: 'query',
        name: 'detail',
        description: 'Adds the passed compliance checks to the report.',
        schema: trustQuerySchema.shape.detail,
        example: 'full',
      },
    ],
    priceUsd: '0.005000',
    summary: 'Trust report on one x402 endpoint',
    description:
      'Signed report with trust score (0 to 100), grade, recommendation, confidence, all flags with their evidence, the advertised price, the on-chain settlements of its wallet and the raw statistics of the last 30 days. The endpoint is probed live. An endpoint that is not in the catalog yet is probed and added.',
    tags: ['trust'],
    requestBody: createRequestBody('x402-trust-request', true),
    response: createPayload('x402-trust'),
    hasHtmlPage: false,
    isCacheableDocument: false,
    outputExample: { resource, score, grade, recommendation, reasons, confidence, breakdown, flags },
    problems: [...BODY, ...PAID, 'unknown-resource', 'template-unresolved', 'not-probeable', ...DATABASE],
  },
  {
    id: 'getHistory',
    method: 'POST',
    path: '/v1/x402-history',
    parameters: [
      {
        in: 'query',
        name: 'resolution',
        description: 'Leaves out the single probes, so that the history has one entry per day.',
        schema: historyQuerySchema.shape.resolution,
        example: 'daily',
      },
    ],
    priceUsd: '0.020000',
    summary: 'Observation history of one x402 endpoint',
    description:
      'Events and probes of an endpoint in the last 1 to 90 days: listings and delistings, every change of price, payTo, network and asset, every probe with its outcome and latency, and uptime, latency and score by day.',
    tags: ['trust'],
    requestBody: createRequestBody('x402-history-request', true),
    response: createPayload('x402-history'),
    hasHtmlPage: false,
    isCacheableDocument: false,
    outputExample: {
      resource: HISTORY_EXAMPLE.resource,
      days: HISTORY_EXAMPLE.days,
      probes: HISTORY_EXAMPLE.probes.slice(0, 1),
      daily: HISTORY_EXAMPLE.daily.slice(0, 1),
      probesResolution: HISTORY_EXAMPLE.probesResolution,
    },
    problems: [...BODY, ...PAID, 'unknown-resource', ...DATABASE],
  },
  {
    ...PREVIEW,
    id: 'getTrustPreview',
    method: 'GET',
    summary: 'Three sample reports',
    problems: DATABASE,
  },
  {
    ...PREVIEW,
    id: 'postTrustPreview',
    method: 'POST',
    summary: 'Three sample reports, with POST like a paid report',
    requestBody: createRequestBody('x402-trust-preview-request', false),
    problems: ['body-too-large', ...DATABASE],
  },
  {
    ...FREE,
    id: 'getLeaderboard',
    method: 'GET',
    path: '/trust/leaderboard',
    summary: 'The 25 best-scored endpoints',
    description:
      'Up to 25 endpoints with the best scores. Each one has a grade, is listed in a directory, has a confidence of at least 0.5 and no error flag.',
    tags: ['overview'],
    response: createPayload('leaderboard'),
    hasHtmlPage: true,
    problems: DATABASE,
  },
  {
    ...FREE,
    id: 'getStats',
    method: 'GET',
    path: '/trust/stats',
    summary: 'The x402 ecosystem in numbers',
    description:
      'Number of endpoints, providers and probes, and the distribution of grades and recommendations.',
    tags: ['overview'],
    response: createPayload('stats'),
    hasHtmlPage: true,
    problems: DATABASE,
  },
  {
    ...FREE,
    id: 'getKeySet',
    method: 'GET',
    path: KEY_SET_PATH,
    summary: 'Public keys of report signatures',
    description:
      'The public Ed25519 keys of report signatures. The response is 404 when this service does not sign reports.',
    tags: ['reference'],
    response: createPayload('key-set'),
    isCacheableDocument: true,
    problems: ['unknown-resource', ...DOCUMENT],
  },
  {
    ...FREE,
    id: 'getOpenApiDocument',
    method: 'GET',
    path: '/openapi.json',
    summary: 'OpenAPI document of this API',
    description:
      'This document: OpenAPI 3.1.0, generated from the schemas that validate requests and responses.',
    tags: ['reference'],
    response: {
      schema: openApiSchema,
      schemaName: null,
      example: { openapi: '3.1.0', info: { title: 'Touchstone', version: '2.0.0' }, paths: {} },
    },
    isCacheableDocument: true,
    problems: DOCUMENT,
  },
  {
    ...FREE,
    id: 'getSchema',
    method: 'GET',
    path: '/schemas/{name}/{file}',
    parameters: [
      {
        in: 'path',
        name: 'name',
        description: 'Name of the schema.',
        schema: z.enum(Object.keys(SCHEMAS)),
        example: 'x402-trust',
      },
      {
        in: 'path',
        name: 'file',
        description: 'Version of the schema, followed by .json.',
        schema: z
          .string()
          .max(40)
          .regex(/^[0-9]+\.[0-9]+\.[0-9]+\.json$/),
        example: '1.0.0.json',
      },
    ],
    summary: 'One JSON Schema',
    description: 'The JSON Schema, draft 2020-12, of a request or response body. Its $id is its URL.',
    tags: ['reference'],
    response: {
      schema: z.looseObject({
        $schema: z.string().describe('URL of the JSON Schema dialect.'),
        $id: z.string().describe('URL of this schema.'),
      }),
      schemaName: null,
      example: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: 'https://touchstone.example/schemas/x402-trust/1.0.0.json',
        type: 'object',
      },
    },
    isCacheableDocument: true,
    problems: ['unknown-resource', ...DOCUMENT],
  },
];

/**
 * Finds the operation for a method and path; null when no operation matches.
 *
 * @param path path of the request, such as `/schemas/x402-trust/1.0.0.json`
 */
export function findOperation(method: string, path: string): Operation | null {
  const parts = path.split('/');
  return (
    OPERATIONS.find(
      (operation) => operation.method === method && matchesTemplate(operation.path.split('/'), parts),
    ) ?? null
  );
}

function matchesTemplate(template: readonly string[], parts: readonly string[]): boolean {
  return (
    template.length === parts.length &&
    template.every((part, at) => (part.startsWith('{') ? parts[at] !== '' : part === parts[at]))
  );
}
