import { HISTORY_EXAMPLE } from '../examples/history.ts';
import { SEMANTIC_SEARCH_EXAMPLE, SIMILAR_EXAMPLE } from '../examples/search.ts';
import { TRUST_REPORT_EXAMPLE } from '../examples/trust-report.ts';
import { URL_ARGUMENT } from './command.ts';
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
    command: {
      name: 'buy trust',
      summary: 'Buys the trust report of an endpoint, verifies it and prints it.',
      argument: URL_ARGUMENT,
      options: [
        {
          member: 'detail',
          flags: '--detail <level>',
          text: 'full also lists the passed compliance checks',
          kind: 'choice',
          choices: ['full'],
        },
      ],
      maxUsd: null,
      product: { name: 'a trust report', description: 'a trust report on {resource}' },
      examples: [
        'touchstone buy trust --sandbox https://skyfall.sandbox.test/v2/current',
        'touchstone buy trust --service https://touchstone.example --max-usd 0.01 https://api.example.com/v1/weather',
        'touchstone buy trust --yes --json https://api.example.com/v1/weather | jq .recommendation',
      ],
    },
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
    command: {
      name: 'history',
      summary: 'Buys the history of an endpoint with a wallet through x402, and draws it.',
      argument: URL_ARGUMENT,
      options: [
        {
          member: 'days',
          flags: '--days <n>',
          text: 'days of history, 1 to 90 (default: 30)',
          kind: 'number',
        },
        {
          member: 'resolution',
          flags: '--resolution <size>',
          text: 'daily leaves out the single probes',
          kind: 'choice',
          choices: ['daily'],
        },
      ],
      maxUsd: null,
      product: { name: 'a history', description: 'the history of {resource}, {days} days' },
      examples: [
        'touchstone history --sandbox --days 14 https://skyfall.sandbox.test/v2/current',
        "touchstone history --yes --json https://api.example.com/v1/weather | jq '.snapshots[]'",
      ],
    },
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
    command: {
      name: 'search',
      summary: 'Finds endpoints by what they do, paid with a wallet through x402.',
      argument: {
        member: 'query',
        name: 'query',
        text: 'what the endpoint should do, in at most 500 characters',
      },
      options: [
        {
          member: 'limit',
          flags: '--limit <n>',
          text: 'maximum number of matches, 1 to 25 (default: 25)',
          kind: 'number',
        },
      ],
      maxUsd: null,
      product: {
        name: 'a list of matches',
        description: 'the endpoints that match "{query}", at most {limit}',
      },
      examples: [
        'touchstone search --sandbox "current weather for a city"',
        `touchstone search --yes --json --limit 5 "translate text" | jq -r '.matches[].resource'`,
      ],
    },
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
    command: {
      name: 'similar',
      summary: 'Finds better endpoints with the same purpose, paid with a wallet through x402.',
      argument: URL_ARGUMENT,
      options: [
        {
          member: 'limit',
          flags: '--limit <n>',
          text: 'maximum number of alternatives, 1 to 25 (default: 5)',
          kind: 'number',
        },
        {
          member: 'minScoreDelta',
          flags: '--min-score-delta <n>',
          text: 'points that an alternative must have more, 0 to 100 (default: 5)',
          kind: 'number',
        },
      ],
      maxUsd: null,
      product: {
        name: 'a list of alternatives',
        description:
          'the alternatives to {resource}, at most {limit}, each with at least {minScoreDelta} points more',
      },
      examples: [
        'touchstone similar --sandbox https://skyfall.sandbox.test/v2/current',
        "touchstone similar --yes --json https://api.example.com/v1/weather | jq -r '.alternatives[0].resource'",
      ],
    },
  },
];
