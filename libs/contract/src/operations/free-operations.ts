import { z } from 'zod';
import type { Operation } from './operation.ts';
import { createPayload, createRequestBody, DATABASE } from './payloads.ts';
import type { ProblemCode } from '../responses/problem.ts';
import { SCHEMAS } from '../schemas/schemas.ts';
import { KEY_SET_PATH } from '../responses/signature.ts';

/** Error codes of an operation that returns a document. Documents are generated in memory and have no rate limit. */
const DOCUMENT = ['internal'] as const satisfies readonly ProblemCode[];

const FREE = {
  priceUsd: null,
  security: 'none',
  parameters: [],
  requestBody: null,
  outputExample: null,
  hasHtmlPage: false,
  isCacheableDocument: false,
  command: null,
} as const;

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

/** Operations without a price, in display order. */
export const FREE_OPERATIONS: readonly Operation[] = [
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
        required: true,
        description: 'Name of the schema.',
        schema: z.enum(Object.keys(SCHEMAS)),
        example: 'x402-trust',
      },
      {
        in: 'path',
        name: 'file',
        required: true,
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
