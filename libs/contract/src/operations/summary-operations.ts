import { ENDPOINT_SUMMARY_EXAMPLE } from '../examples/endpoint-summary.ts';
import { endpointSlugSchema, summaryQuerySchema } from '../requests/summary-requests.ts';
import type { Operation, Parameter } from './operation.ts';
import { createPayload, DATABASE } from './payloads.ts';

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
    description: 'CAIP-2 id of the network of the payTo address. Without it, any network matches.',
    schema: summaryQuerySchema.shape.network,
    example: requested.network ?? '',
  },
];

const SUMMARY = {
  method: 'GET',
  priceUsd: null,
  security: 'none',
  tags: ['overview'],
  requestBody: null,
  response: createPayload('endpoint-summary'),
  hasHtmlPage: false,
  isCacheableDocument: false,
  outputExample: null,
  command: null,
} as const;

/** Free operations that return the content of an endpoint's public page as signed JSON. */
export const SUMMARY_OPERATIONS: readonly Operation[] = [
  {
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
    problems: ['invalid-request', ...DATABASE],
  },
  {
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
    problems: ['invalid-request', 'unknown-resource', 'resource-removed', ...DATABASE],
  },
];
