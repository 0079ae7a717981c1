import { z } from 'zod';
import { createInputSchema, createWholeNumber, requestedResource } from '../../shared/requests.ts';
import { URL_ARGUMENT } from '../command.ts';
import { createPaidPost } from '../operation-model.ts';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { TRUST_REPORT_EXAMPLE } from '../trust-report/report-schema.ts';
import { historySchema, type History } from './response.ts';

const DEFAULT_HISTORY_DAYS = 30;

export const historyRequestSchema = z.strictObject({
  resource: requestedResource,
  days: createWholeNumber(1, 90)
    .default(DEFAULT_HISTORY_DAYS)
    .describe('Number of days of history, up to now.')
    .meta({ examples: [DEFAULT_HISTORY_DAYS] }),
});

export const historyQuerySchema = z.object({
  resolution: z.enum(['daily', 'all'], { error: 'must be "daily" or "all"' }).exactOptional(),
});

export const historyInputSchema = createInputSchema(historyRequestSchema, historyQuerySchema);

type Terms = Extract<History['snapshots'][number]['before'], { readonly protocolVersion: unknown }>;

function createTerms(amount: string, amountUsd: string): Terms {
  const { advertised, description } = TRUST_REPORT_EXAMPLE;
  return {
    protocolVersion: 2,
    description,
    options: advertised.options.map((option) => ({ ...option, amount, amountUsd })),
  };
}

const HISTORY_EXAMPLE: History = {
  resource: TRUST_REPORT_EXAMPLE.resource,
  days: 2,
  from: '2026-05-19T12:00:00.000Z',
  to: '2026-05-21T12:00:00.000Z',
  snapshots: [
    {
      at: '2026-05-20T00:00:00.000Z',
      event: 'price_change',
      before: createTerms('20000', '0.020000'),
      after: createTerms('10000', '0.010000'),
    },
  ],
  probes: [
    {
      at: '2026-05-19T23:30:00.412Z',
      outcome: 'challenged',
      httpStatus: 402,
      error: null,
      latencyMs: 208,
      compliant: true,
      amountUsd: '0.020000',
    },
    {
      at: '2026-05-20T00:00:00.377Z',
      outcome: 'challenged',
      httpStatus: 402,
      error: null,
      latencyMs: 221,
      compliant: true,
      amountUsd: '0.010000',
    },
    {
      at: '2026-05-20T00:30:00.405Z',
      outcome: 'timeout',
      httpStatus: null,
      error: 'timeout',
      latencyMs: null,
      compliant: null,
      amountUsd: null,
    },
  ],
  daily: [
    { day: '2026-05-19', probes: 24, scored: 24, up: 24, latencyMsP50: 211, latencyMsP95: 590, score: 91.7 },
    { day: '2026-05-20', probes: 48, scored: 48, up: 47, latencyMsP50: 216, latencyMsP95: 633, score: 90.1 },
    { day: '2026-05-21', probes: 24, scored: 24, up: 24, latencyMsP50: 213, latencyMsP95: 602, score: 90.2 },
  ],
  purchases: [],
  probesResolution: 'raw',
  lastFailure: {
    at: '2026-05-20T00:30:00.405Z',
    phase: 'processing',
    httpStatus: null,
    error: 'timeout',
    detail: 'No response within 10 seconds.',
    since: '2026-05-20T00:30:00.405Z',
    causes30d: { timeout: 3 },
  },
};

const { resource } = TRUST_REPORT_EXAMPLE;

export const HISTORY_SCHEMAS = {
  'x402-history': {
    title: 'History',
    description: 'Events, probes, test purchases and daily figures of one x402 endpoint, each oldest first.',
    component: 'History',
    schema: historySchema,
    example: HISTORY_EXAMPLE,
  },
  'x402-history-request': {
    title: 'History request',
    description: 'Endpoint and number of days of the requested history.',
    component: 'HistoryRequest',
    schema: historyRequestSchema,
    isRequest: true,
    example: { resource, days: 30 },
  },
} as const satisfies PublishedSchemas;

export const historyOperation = createPaidPost(HISTORY_SCHEMAS, {
  id: 'getHistory',
  path: '/v1/x402-history',
  parameters: [
    {
      in: 'query',
      name: 'resolution',
      required: false,
      description:
        '`daily`: one entry per day. `all`: also each probe. Default: `all` over HTTP, `daily` over MCP.',
      schema: historyQuerySchema.shape.resolution,
      example: 'daily',
      // The history with all probes has about 100 kB in 14 days.
      argumentDefault: 'daily',
    },
  ],
  priceUsd: '0.020000',
  summary: 'Observation history of one x402 endpoint',
  description:
    'Events and probes of an endpoint in the last 1 to 90 days: listings and delistings, every change of price, payTo, network and asset, every probe with its outcome and latency, and uptime, latency and score by day.',
  tags: ['trust'],
  request: 'x402-history-request',
  response: 'x402-history',
  outputExample: {
    resource: HISTORY_EXAMPLE.resource,
    days: HISTORY_EXAMPLE.days,
    probes: HISTORY_EXAMPLE.probes.slice(0, 1),
    daily: HISTORY_EXAMPLE.daily.slice(0, 1),
    probesResolution: HISTORY_EXAMPLE.probesResolution,
  },
  problems: ['unknown-resource'],
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
        text: 'daily leaves out the list of probes',
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
  tool: {
    place: 50,
    name: 'x402_endpoint_history',
    title: 'Observation history of an x402 endpoint',
    text: 'Use it to examine how reliable and stable an endpoint was in the last 1 to 90 days, such as after an outage or a changed price. Returns up to 20 changes of price, payTo, network, asset and listing (the newest, if there are more), and uptime, latency and score by day. Set resolution to "all" for all changes and probes: a long result has one line for each probe, or for equal probes, and may leave the oldest out; HTTP returns the whole for the same payment. For the present state, x402_trust_score is cheaper.',
    isOpenWorld: true,
  },
});
