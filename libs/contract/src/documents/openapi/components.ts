import { EXAMPLE_NETWORK_V1 } from '../../challenge/challenge-v1.ts';
import { PAYMENT_REQUIRED_SCHEMAS } from '../../challenge/challenge.ts';
import { EXAMPLE_NETWORK } from '../../shared/values.ts';
import { z } from 'zod';
import {
  type PublishedSchema,
  omitDocumentKeywords,
  shortenDatePatterns,
  type JsonSchema,
} from '../../shared/json-schema.ts';
import { SCHEMAS } from '../../operations/operations.ts';
import { RATE_POLICIES, type RatePolicy } from '../../shared/rate-policies.ts';

export function createSchemaRef({ component }: Pick<PublishedSchema, 'component'>): {
  readonly $ref: string;
} {
  return { $ref: toRef(component) };
}

function toRef(component: string): string {
  return `#/components/schemas/${component}`;
}

/**
 * Creates the JSON Schemas of all published schemas, by their component name in the OpenAPI document. The schemas
 * contain references to each other.
 */
export function createComponentSchemas(): Readonly<Record<string, JsonSchema>> {
  return { ...createSchemas('output'), ...createSchemas('input') };
}

function createSchemas(io: 'input' | 'output'): Readonly<Record<string, JsonSchema>> {
  const all: readonly PublishedSchema[] = Object.values(SCHEMAS);
  const published = all.filter(({ isRequest = false }) => isRequest === (io === 'input'));
  const registry = z.registry<{ readonly id: string }>();
  for (const { schema, component } of published) registry.add(schema, { id: component });
  const { schemas } = z.toJSONSchema(registry, { io, uri: toRef, override: shortenDatePatterns });
  return Object.fromEntries(
    published.map(({ component, title, description, example }) => [
      component,
      { title, description, ...omitDocumentKeywords({ ...schemas[component] }), examples: [example] },
    ]),
  );
}

/** Encodes a value as JSON and base64, like the headers of x402. The examples are ASCII, so `btoa` accepts them. */
function encodeJson(value: unknown): string {
  return btoa(JSON.stringify(value));
}

const json = { type: 'string', contentEncoding: 'base64', contentMediaType: 'application/json' };

function formatPolicy({ name, limit, windowSeconds }: RatePolicy): string {
  return `"${name}";q=${limit};w=${windowSeconds}`;
}

function listPolicies(): string {
  return Object.values(RATE_POLICIES)
    .map((policy) => `\`${formatPolicy(policy)}\``)
    .join(', ');
}

const RECEIPT = {
  success: true,
  transaction: '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  network: EXAMPLE_NETWORK,
  payer: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
};

/** OpenAPI descriptions of the response headers, by header name. */
export const HEADERS = {
  Allow: {
    description: 'Methods that the path supports.',
    schema: { type: 'string' },
    example: 'POST, OPTIONS',
  },
  ETag: {
    description:
      'Version of the document. Send it in `If-None-Match` to get 304 while the document is unchanged.',
    schema: { type: 'string' },
    example: '"47DEQpj8HBSa-_TImW-5JCeuQeR"',
  },
  Location: {
    description: 'Path of the resource.',
    schema: { type: 'string' },
    example: '/endpoint/api-example-com-v1-weather-abcdefghij.json',
  },
  'PAYMENT-REQUIRED': {
    description:
      'Challenge of x402 version 2: base64 of JSON. On networks that version 1 knows, such as Base, the body has the same payment terms in version 1.',
    schema: { ...json, contentSchema: createSchemaRef(PAYMENT_REQUIRED_SCHEMAS['payment-required']) },
    example: encodeJson(PAYMENT_REQUIRED_SCHEMAS['payment-required'].example),
  },
  'PAYMENT-RESPONSE': {
    description:
      'Receipt of a payment in PAYMENT-SIGNATURE: base64 of JSON with the outcome and the transaction of the settlement.',
    schema: json,
    example: encodeJson(RECEIPT),
  },
  'X-PAYMENT-RESPONSE': {
    description:
      'Receipt of a payment in X-PAYMENT: base64 of JSON, like `PAYMENT-RESPONSE`, with the name of the network in x402 version 1.',
    schema: json,
    example: encodeJson({ ...RECEIPT, network: EXAMPLE_NETWORK_V1 }),
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 0 },
    example: 30,
  },
  RateLimit: {
    description: 'Remaining requests of each rate limit, and seconds until it resets.',
    schema: { type: 'string' },
    example: `"${RATE_POLICIES.free.name}";r=0;t=30`,
  },
  'RateLimit-Policy': {
    description: `Rate limits and their windows in seconds: ${listPolicies()}.`,
    schema: { type: 'string' },
    example: formatPolicy(RATE_POLICIES.free),
  },
  'WWW-Authenticate': {
    description: 'Required authentication: the secret of the watch, as a bearer token.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

type HeaderName = keyof typeof HEADERS;

export function createHeaderRefs(
  names: readonly HeaderName[],
): Readonly<Record<string, { readonly $ref: string }>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
