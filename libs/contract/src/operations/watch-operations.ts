import { WATCH_CREATED_EXAMPLE, WATCH_RENEWED_EXAMPLE } from '../examples/watch.ts';
import { WATCH_EVENT_TYPES } from '../events/watch-event-table.ts';
import { watchEventsQuerySchema } from '../requests/watch-requests.ts';
import { formatEventId, WATCH_ID_EXAMPLE, watchIdSchema } from '../watches/watch-ids.ts';
import { URL_ARGUMENT, type CommandOption, type OperationCommand } from './command.ts';
import type { Operation, Parameter } from './operation.ts';
import { BODY, createPayload, createRequestBody, DATABASE, PAID } from './payloads.ts';

const PRICE_USD = '0.200000';

const ID: Parameter = {
  in: 'path',
  name: 'id',
  required: true,
  description: 'Id of the watch.',
  schema: watchIdSchema,
  example: WATCH_ID_EXAMPLE,
};

/** Example of a cursor: the id of the seventh event of the watch. */
const CURSOR = formatEventId(WATCH_ID_EXAMPLE, 7);

const WATCH = {
  tags: ['watch'],
  hasHtmlPage: false,
  isCacheableDocument: false,
} as const;

/** Options of the CLI with the settings of a watch. */
const SETTINGS: readonly CommandOption[] = [
  {
    member: 'delivery.webhook_urls',
    flags: '--webhook <url>',
    text: 'URL that gets signed messages; repeat it for more, at most 5',
    kind: 'repeated',
  },
  {
    member: 'delivery.slack_urls',
    flags: '--slack <url>',
    text: 'incoming webhook of Slack or Discord; repeat it for more, at most 5',
    kind: 'repeated',
  },
  {
    member: 'events',
    flags: '--events <types>',
    text: `types of alerts with commas, or all: ${WATCH_EVENT_TYPES.join(', ')}`,
    kind: 'list',
    choices: WATCH_EVENT_TYPES,
  },
  {
    member: 'liveness_sensitivity_n',
    flags: '--sensitivity <n>',
    text: 'missed probes before liveness_down, 1 to 10',
    kind: 'number',
  },
];

/** Default of `--max-usd` for a watch, in US dollars: its price. */
const MAX_USD = '0.20';

const ID_ARGUMENT = { member: 'id', name: 'id', text: 'id of the watch' } as const;

/** Creates the command of the owner of a watch. */
function createOwnerCommand(
  name: string,
  summary: string,
  options: readonly CommandOption[] = [],
): OperationCommand {
  return { name, summary, argument: ID_ARGUMENT, options, maxUsd: null, product: null, examples: [] };
}

/** Operations that the buyer of a watch pays. */
export const PAID_WATCH_OPERATIONS: readonly Operation[] = [
  {
    ...WATCH,
    id: 'createWatch',
    method: 'POST',
    path: '/v1/watch-endpoint-30d',
    parameters: [],
    priceUsd: PRICE_USD,
    security: 'none',
    summary: 'Alerts on one x402 endpoint for 30 days',
    description:
      'Probes an endpoint of the catalog every 5 minutes for 30 days and reports a changed payTo address, price, asset or network, a less compliant challenge, a delisting, an outage and its end. Read the alerts with the secret in the response, or get them at signed webhooks and at Slack or Discord. Each delivery URL is tested first; if a test fails, nothing is charged. A URL with placeholders has no alerts on payTo and price.',
    requestBody: createRequestBody('watch-create-request', true),
    response: createPayload('watch-created'),
    outputExample: pickMembers(WATCH_CREATED_EXAMPLE, ['watch_id', 'secret', 'expires_at']),
    problems: [
      ...BODY,
      ...PAID,
      'unknown-resource',
      'template-unresolved',
      'not-probeable',
      'delivery-unreachable',
      'watch-unavailable',
      ...DATABASE,
    ],
    command: {
      name: 'watch create',
      summary: 'Buys alerts on an endpoint for 30 days, paid with a wallet through x402.',
      argument: { ...URL_ARGUMENT, member: 'endpoint' },
      options: SETTINGS,
      maxUsd: MAX_USD,
      product: { name: 'a watch', description: 'a watch on {endpoint} for 30 days' },
      examples: [
        'touchstone watch create --sandbox https://skyfall.sandbox.test/v2/current',
        'touchstone watch create --webhook https://hooks.example.com/alerts --events payto_change,price_change https://api.example.com/v1/weather',
      ],
    },
  },
  {
    ...WATCH,
    id: 'renewWatch',
    method: 'POST',
    path: '/v1/watch/{id}/renew',
    parameters: [ID],
    priceUsd: PRICE_USD,
    security: 'none',
    summary: 'Thirty more days of a watch',
    description:
      'Adds 30 days to a watch: to its end, or to the present time if it has expired. Secret, settings and log stay the same. Needs no secret, so anyone who knows the id can pay. Possible until 7 days after the end. A cancelled watch cannot be renewed, and nothing is charged.',
    requestBody: null,
    response: createPayload('watch-renewed'),
    outputExample: pickMembers(WATCH_RENEWED_EXAMPLE, ['watch_id', 'status', 'expires_at']),
    problems: ['invalid-request', ...PAID, 'watch-not-found', 'watch-not-renewable', ...DATABASE],
    command: {
      name: 'watch renew',
      summary: 'Adds 30 days to a watch, paid with a wallet through x402.',
      argument: ID_ARGUMENT,
      options: [],
      maxUsd: MAX_USD,
      product: { name: 'a renewed watch', description: '30 more days of the watch {id}' },
      examples: [
        `touchstone watch renew --sandbox ${WATCH_ID_EXAMPLE}`,
        `touchstone watch renew --yes ${WATCH_ID_EXAMPLE}`,
      ],
    },
  },
];

const OWNED = {
  ...WATCH,
  priceUsd: null,
  security: 'bearer',
  requestBody: null,
  outputExample: null,
  parameters: [ID],
} as const;

/** Free operations of the owner of a watch, who has its secret. */
export const OWNER_WATCH_OPERATIONS: readonly Operation[] = [
  {
    ...OWNED,
    id: 'readWatchEvents',
    method: 'GET',
    path: '/v1/watch/{id}/events',
    parameters: [
      ID,
      {
        in: 'query',
        name: 'since',
        required: false,
        description: 'Returns only alerts after this cursor or event id.',
        schema: watchEventsQuerySchema.shape.since,
        example: CURSOR,
      },
      {
        in: 'query',
        name: 'watch_since',
        required: false,
        description: 'Returns only events on the watch itself after this cursor or event id.',
        schema: watchEventsQuerySchema.shape.watch_since,
        example: CURSOR,
      },
    ],
    summary: 'Events of a watch',
    description:
      'Alerts on the endpoint, and events on the watch itself, oldest first, at most 100 of each kind. Send the cursors of the last response to get the next events. The log is complete even if deliveries failed. It can be read until 30 days after the watch ends.',
    response: createPayload('watch-events'),
    problems: ['invalid-request', 'unauthorized', ...DATABASE],
    command: createOwnerCommand('watch events', 'Prints the events of a watch, also as they happen.'),
  },
  {
    ...OWNED,
    id: 'getWatch',
    method: 'GET',
    path: '/v1/watch/{id}',
    summary: 'Status and settings of a watch',
    description:
      'Status, end, settings and delivery state of a watch. Delivery URLs are shortened, because they may be secrets.',
    response: createPayload('watch'),
    problems: ['unauthorized', ...DATABASE],
    command: createOwnerCommand('watch show', 'Shows a watch and the state of its deliveries.'),
  },
  {
    ...OWNED,
    id: 'editWatch',
    method: 'PATCH',
    path: '/v1/watch/{id}',
    summary: 'Change the settings of a watch',
    description:
      'Changes the types of alerts, the sensitivity or the delivery URLs of a watch that is not cancelled. Settings that are left out stay the same. The URLs of a kind, webhooks or chats, are replaced together. New URLs are tested first; if a test fails, nothing changes.',
    requestBody: createRequestBody('watch-edit-request', true),
    response: createPayload('watch-edited'),
    problems: [...BODY, 'unauthorized', 'delivery-unreachable', 'watch-unavailable', ...DATABASE],
    command: createOwnerCommand(
      'watch edit',
      'Changes the alerts, the sensitivity or the delivery URLs of a watch.',
      SETTINGS,
    ),
  },
  {
    ...OWNED,
    id: 'cancelWatch',
    method: 'DELETE',
    path: '/v1/watch/{id}',
    summary: 'Cancel a watch',
    description:
      'Ends a watch now, without a refund. Returns the watch, and may be repeated. Its log can be read for 30 more days.',
    response: createPayload('watch'),
    problems: ['unauthorized', ...DATABASE],
    command: createOwnerCommand('watch cancel', 'Ends a watch now. Nothing is refunded.'),
  },
];

/** Returns some members of an object. */
function pickMembers<Value extends object>(
  value: Value,
  names: readonly (keyof Value & string)[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}
