import { z } from 'zod';
import { HISTORY_EXAMPLE } from './examples/history.ts';
import { TRUST_REPORT_EXAMPLE } from './examples/trust-report.ts';
import type { Operation, RequestBody } from './operation.ts';
import type { ProblemCode } from './problem.ts';
import { SCHEMAS, type SchemaName } from './schemas.ts';
import { KEY_SET_PATH } from './signature.ts';

/** What an operation may answer that asks the database, and is bounded. */
const ANY = ['rate-limited', 'internal'] as const satisfies readonly ProblemCode[];
/** What a document may answer, which is made of what is in memory and not bounded. */
const DOCUMENT = ['internal'] as const satisfies readonly ProblemCode[];
const BODY = ['invalid-request', 'body-too-large', 'unsupported-media-type'] as const;
const PAID = ['invalid-payment', 'payment-in-progress', 'payment-reused', 'payment-unavailable'] as const;

function payload(schemaName: SchemaName): Operation['response'] & { readonly schemaName: SchemaName } {
  const { schema, example } = SCHEMAS[schemaName];
  return { schema, schemaName, example: { ...example } };
}

function body(schemaName: SchemaName, required: boolean): RequestBody {
  return { ...payload(schemaName), required };
}

const FREE = {
  priceUsd: null,
  parameters: [],
  requestBody: null,
  outputExample: null,
  hasPage: false,
  isDocument: false,
} as const;

const { resource, score, grade, recommendation, reasons, confidence, breakdown, flags } =
  TRUST_REPORT_EXAMPLE;

const PREVIEW = {
  ...FREE,
  path: '/v1/x402-trust-preview',
  description:
    'Three complete trust reports, with every field of a paid one: on the best-scored endpoint, the median and the worst-scored one. Which endpoints they are on is not chosen by the caller.',
  tags: ['overview'],
  response: payload('x402-trust-preview'),
} as const;

const openApiSchema = z.looseObject({
  openapi: z.literal('3.1.0').describe('Version of the OpenAPI specification.'),
  info: z
    .looseObject({ version: z.string().describe('Version of the interface.') })
    .describe('What it describes.'),
  paths: z.record(z.string(), z.unknown()).describe('The operations.'),
});

/** Every operation of the API, in the order in which they are shown. */
export const OPERATIONS: readonly Operation[] = [
  {
    id: 'getTrustReport',
    method: 'POST',
    path: '/v1/x402-trust',
    parameters: [],
    priceUsd: '0.005000',
    summary: 'Trust report on one x402 endpoint',
    description:
      'Trust score from 0 to 100, grade, recommendation, confidence, all flags with their evidence, the advertised price, what the chain says of its wallet and the raw figures of 30 days, signed. The endpoint is probed live for it. One that is not in the catalog yet is probed and adopted.',
    tags: ['trust'],
    requestBody: body('x402-trust-request', true),
    response: payload('x402-trust'),
    hasPage: false,
    isDocument: false,
    outputExample: { resource, score, grade, recommendation, reasons, confidence, breakdown, flags },
    problems: [...BODY, ...PAID, 'template-unresolved', 'not-probeable', ...ANY],
  },
  {
    id: 'getHistory',
    method: 'POST',
    path: '/v1/x402-history',
    parameters: [],
    priceUsd: '0.020000',
    summary: 'Observation history of one x402 endpoint',
    description:
      'What happened to an endpoint in up to 90 days: when it was listed and delisted, every change of price, payTo, network and asset, every probe with its outcome and latency, and uptime, latency and score by the day.',
    tags: ['trust'],
    requestBody: body('x402-history-request', true),
    response: payload('x402-history'),
    hasPage: false,
    isDocument: false,
    outputExample: {
      resource: HISTORY_EXAMPLE.resource,
      days: HISTORY_EXAMPLE.days,
      probes: HISTORY_EXAMPLE.probes.slice(0, 1),
      daily: HISTORY_EXAMPLE.daily.slice(0, 1),
      probesResolution: HISTORY_EXAMPLE.probesResolution,
    },
    problems: [...BODY, ...PAID, 'unknown-resource', ...ANY],
  },
  {
    ...PREVIEW,
    id: 'getTrustPreview',
    method: 'GET',
    summary: 'Three sample reports',
    problems: ANY,
  },
  {
    ...PREVIEW,
    id: 'postTrustPreview',
    method: 'POST',
    summary: 'Three sample reports, by the method of a paid one',
    requestBody: body('x402-trust-preview-request', false),
    problems: ['body-too-large', ...ANY],
  },
  {
    ...FREE,
    id: 'getLeaderboard',
    method: 'GET',
    path: '/trust/leaderboard',
    summary: 'The 25 best-scored endpoints',
    description:
      'The best-scored endpoints, at most 25: graded and listed, with confidence of at least 0.5 and no error flag.',
    tags: ['overview'],
    response: payload('leaderboard'),
    hasPage: true,
    problems: ANY,
  },
  {
    ...FREE,
    id: 'getStats',
    method: 'GET',
    path: '/trust/stats',
    summary: 'The x402 ecosystem in numbers',
    description:
      'How many endpoints and providers there are, how they are graded, and how often they are probed.',
    tags: ['overview'],
    response: payload('stats'),
    hasPage: true,
    problems: ANY,
  },
  {
    ...FREE,
    id: 'getKeySet',
    method: 'GET',
    path: KEY_SET_PATH,
    summary: 'The keys that reports are signed with',
    description:
      'The public Ed25519 keys that reports are signed with. There are none where the service signs nothing.',
    tags: ['reference'],
    response: payload('key-set'),
    isDocument: true,
    problems: ['unknown-resource', ...DOCUMENT],
  },
  {
    ...FREE,
    id: 'getOpenApiDocument',
    method: 'GET',
    path: '/openapi.json',
    summary: 'The API as an OpenAPI document',
    description:
      'This document: the API by OpenAPI 3.1.0, generated from the schemas that validate requests and answers.',
    tags: ['reference'],
    response: {
      schema: openApiSchema,
      schemaName: null,
      example: { openapi: '3.1.0', info: { title: 'Touchstone', version: '2.0.0' }, paths: {} },
    },
    isDocument: true,
    problems: DOCUMENT,
  },
  {
    ...FREE,
    id: 'getSchema',
    method: 'GET',
    path: '/schemas/{name}/{file}',
    parameters: [
      {
        name: 'name',
        description: 'Name of the schema.',
        schema: z.enum(Object.keys(SCHEMAS)),
        example: 'x402-trust',
      },
      {
        name: 'file',
        description: 'Its version, with the ending .json.',
        schema: z
          .string()
          .max(40)
          .regex(/^[0-9]+\.[0-9]+\.[0-9]+\.json$/),
        example: '1.0.0.json',
      },
    ],
    summary: 'One JSON Schema',
    description: 'The JSON Schema, draft 2020-12, of a request or an answer, at the address that is its $id.',
    tags: ['reference'],
    response: {
      schema: z.looseObject({
        $schema: z.string().describe('The dialect.'),
        $id: z.string().describe('Its own address.'),
      }),
      schemaName: null,
      example: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: 'https://touchstone.example/schemas/x402-trust/1.0.0.json',
        type: 'object',
      },
    },
    isDocument: true,
    problems: ['unknown-resource', ...DOCUMENT],
  },
];

/**
 * The operation that answers a request; null where there is none.
 *
 * @param path path of the request, such as `/schemas/x402-trust/1.0.0.json`
 */
export function operationAt(method: string, path: string): Operation | null {
  const parts = path.split('/');
  return (
    OPERATIONS.find(
      (operation) => operation.method === method && matches(operation.path.split('/'), parts),
    ) ?? null
  );
}

function matches(template: readonly string[], parts: readonly string[]): boolean {
  return (
    template.length === parts.length &&
    template.every((part, at) => (part.startsWith('{') ? parts[at] !== '' : part === parts[at]))
  );
}
