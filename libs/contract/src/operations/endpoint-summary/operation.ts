import { z } from 'zod';
import { requestedResource } from '../../shared/requests.ts';
import { EXAMPLE_NETWORK, EXAMPLE_PAY_TO, TEXT_LIMITS } from '../../shared/values.ts';
import { createPayload, DATABASE, FREE_GET, type Operation, type Parameter } from '../operation-model.ts';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { ENDPOINT_SUMMARY_EXAMPLE, endpointSummarySchema } from './response.ts';

const PAY_TO_EXPECTATION = `must be a payTo address of 1 to ${String(TEXT_LIMITS.address)} visible ASCII characters, such as ${EXAMPLE_PAY_TO}`;
const NETWORK_EXPECTATION = `must be the id of a network of 1 to ${String(TEXT_LIMITS.address)} visible ASCII characters, such as ${EXAMPLE_NETWORK}`;
const SLUG_EXPECTATION = 'must be the slug of an endpoint, such as api-example-com-weather-abcdefghij';

/**
 * Creates the schema of an optional text of visible ASCII characters. Refuses the texts that programs put into a URL in
 * place of an absent value: an address of this name would read as an address that was never observed.
 */
function createVisibleText(error: string) {
  return z
    .string({ error })
    .regex(new RegExp(`^(?!(?:null|undefined|None)$)[!-~]{1,${String(TEXT_LIMITS.address)}}$`), { error })
    .exactOptional();
}

const terms = {
  payTo: createVisibleText(PAY_TO_EXPECTATION).describe(
    'payTo address of a payment challenge. The summary states whether the endpoint has or had it.',
  ),
  network: createVisibleText(NETWORK_EXPECTATION).describe(
    'Network of the payTo address, such as eip155:8453, 8453 or base. Without it, any network matches.',
  ),
};

const summaryQuerySchema = z.object({ resource: requestedResource, ...terms });

const endpointPageQuerySchema = z.object(terms);

/**
 * Schema of the slug of an endpoint: words of its host and path, then its id. The words are not checked, because old
 * page URLs may contain other words.
 */
const endpointSlugSchema = z
  .string({ error: SLUG_EXPECTATION })
  .regex(/^[a-z0-9-]*[a-z2-7]{10}$/, { error: SLUG_EXPECTATION })
  .max(TEXT_LIMITS.name, { error: SLUG_EXPECTATION });

/** Schema that parses a complete request for a summary by URL: `{ query }`. */
export const summaryInputSchema = z.object({ query: summaryQuerySchema }).transform(({ query }) => query);

/** Schema that parses a complete request for a summary by slug: `{ query, params }`. */
export const endpointPageInputSchema = z
  .object({ query: endpointPageQuerySchema, params: z.object({ slug: endpointSlugSchema }) })
  .transform(({ query, params }) => ({ ...query, ...params }));

const { requested, endpoint } = ENDPOINT_SUMMARY_EXAMPLE;

const TERMS: readonly Parameter[] = [
  {
    in: 'query',
    name: 'payTo',
    required: false,
    description: 'payTo address of a challenge. The summary states whether the endpoint has or had it.',
    schema: summaryQuerySchema.shape.payTo,
    example: requested.payTo ?? '',
  },
  {
    in: 'query',
    name: 'network',
    required: false,
    description:
      'Network of the payTo address, such as eip155:8453, 8453 or base. Without it, any network matches.',
    schema: summaryQuerySchema.shape.network,
    example: requested.network ?? '',
  },
];

export const ENDPOINT_SUMMARY_SCHEMAS = {
  'endpoint-summary': {
    title: 'Endpoint summary',
    description: 'Content of the public page of one x402 endpoint, and observations of one payTo address.',
    component: 'EndpointSummary',
    schema: endpointSummarySchema,
    example: ENDPOINT_SUMMARY_EXAMPLE,
  },
} as const satisfies PublishedSchemas;

const SUMMARY = {
  ...FREE_GET,
  tags: ['trust'],
  response: createPayload(ENDPOINT_SUMMARY_SCHEMAS, 'endpoint-summary'),
} as const;

export const summaryByUrlOperation: Operation = {
  ...SUMMARY,
  id: 'findEndpointSummary',
  path: '/v1/x402-summary',
  parameters: [
    {
      in: 'query',
      name: 'resource',
      required: true,
      description: 'Full URL of the endpoint, percent-encoded. Leave out its query if it has secrets.',
      schema: summaryQuerySchema.shape.resource,
      example: requested.resource,
    },
    ...TERMS,
  ],
  summary: 'Summary of one x402 endpoint by its URL, to check a payment',
  description:
    'Signed summary of the endpoint with this URL: score, grade, recommendation, uptime, price range of 30 days and payment options, as on its public page, and whether a given payTo address was observed there. If no endpoint has this URL, one that differs only by the query, or a template that the URL fills, is used. An unknown endpoint has status 200 and `endpoint: null`.',
  problems: DATABASE,
  tool: {
    place: 10,
    name: 'x402_summary',
    title: 'Free summary of an x402 endpoint',
    text: 'Use it first, before you pay an x402 endpoint. Give the URL, and payTo and network of its payment challenge if you have one. Returns score, grade, recommendation (proceed, caution, parameterize, avoid, unverified, free), uptime, price range, payment options, and whether that payTo address was observed at this endpoint. endpoint: null means that it is unknown; never pay it if unknownHost.resembles names a host, which it imitates. The summary has no reasons: call x402_trust_score for them, or x402_find_alternatives when it says avoid.',
    isOpenWorld: true,
  },
};

export const summaryBySlugOperation: Operation = {
  ...SUMMARY,
  id: 'getEndpointSummary',
  path: '/endpoint/{slug}.json',
  parameters: [
    {
      in: 'path',
      name: 'slug',
      required: true,
      description: 'Slug of the endpoint, as in the URL of its public page.',
      schema: endpointSlugSchema,
      example: endpoint === null ? '' : new URL(endpoint.endpointPage).pathname.slice('/endpoint/'.length),
    },
    ...TERMS,
  ],
  summary: 'Summary of one x402 endpoint by the slug of its page',
  description:
    'Signed summary of the endpoint with this page: the same response as by its URL. A slug with other words before the id is redirected to the present slug.',
  problems: ['unknown-resource', 'resource-removed', ...DATABASE],
};
