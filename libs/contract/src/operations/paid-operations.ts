import { HISTORY_EXAMPLE } from '../examples/history.ts';
import { SEMANTIC_SEARCH_EXAMPLE, SIMILAR_EXAMPLE } from '../examples/search.ts';
import { TRUST_REPORT_EXAMPLE } from '../examples/trust-report.ts';
import type { Operation } from './operation.ts';
import { BODY, createPayload, createRequestBody, DATABASE, PAID } from './payloads.ts';
import { historyQuerySchema, trustQuerySchema } from '../requests/requests.ts';

const { resource, score, grade, recommendation, reasons, confidence, breakdown, flags } =
  TRUST_REPORT_EXAMPLE;
const { query, count, matches } = SEMANTIC_SEARCH_EXAMPLE;

/** Operations with a price, in display order. */
export const PAID_OPERATIONS: readonly Operation[] = [
  {
    id: 'getTrustReport',
    method: 'POST',
    path: '/v1/x402-trust',
    parameters: [
      {
        in: 'query',
        name: 'detail',
        required: false,
        description: 'Adds the passed compliance checks to the report.',
        schema: trustQuerySchema.shape.detail,
        example: 'full',
      },
    ],
    priceUsd: '0.005000',
    security: 'none',
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
        required: false,
        description: 'Leaves out the single probes, so that the history has one entry per day.',
        schema: historyQuerySchema.shape.resolution,
        example: 'daily',
      },
    ],
    priceUsd: '0.020000',
    security: 'none',
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
    id: 'searchEndpoints',
    method: 'POST',
    path: '/v1/semantic-search',
    parameters: [],
    priceUsd: '0.001000',
    security: 'none',
    summary: 'Endpoints that match a description',
    description:
      'Finds endpoints by a free-text description of their purpose. Order: cosine similarity in whole percentage points, then trust score, then endpoints with a description before those without, then id. Matches with a similarity below 0.5 are dropped, so the list may be shorter than the limit, or empty; both are charged. Exact up to 5,000 distinct texts; above that, 1 to 2 % of results differ. Discovery only, without recommendation or flags: buy a trust report before you pay an endpoint.',
    tags: ['search'],
    requestBody: createRequestBody('semantic-search-request', true),
    response: createPayload('semantic-search'),
    hasHtmlPage: false,
    isCacheableDocument: false,
    outputExample: { query, count, matches: matches.slice(0, 1) },
    problems: [...BODY, ...PAID, 'search-unavailable', ...DATABASE],
  },
  {
    id: 'findAlternatives',
    method: 'POST',
    path: '/v1/similar',
    parameters: [],
    priceUsd: '0.005000',
    security: 'none',
    summary: 'Better-scored alternatives to one x402 endpoint',
    description:
      'Finds endpoints with the same purpose and a trust score at least minScoreDelta points better. An unknown endpoint has score 0. Order: cosine similarity of the descriptions in whole percentage points, then trust score, then endpoints with a description, then id. Left out: similarity below 0.55, the same host, no grade, recommendation avoid. Exact up to 5,000 distinct texts; above that, 1 to 2 % of results differ. An empty list is charged. Buy a trust report before you pay an alternative.',
    tags: ['search'],
    requestBody: createRequestBody('similar-request', true),
    response: createPayload('similar'),
    hasHtmlPage: false,
    isCacheableDocument: false,
    outputExample: { alternatives: SIMILAR_EXAMPLE.alternatives },
    problems: [...BODY, ...PAID, 'search-unavailable', ...DATABASE],
  },
];
