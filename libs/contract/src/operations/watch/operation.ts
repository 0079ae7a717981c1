import { watchIdSchema, formatEventId, WATCH_ID_EXAMPLE } from './watch-ids.ts';
import { URL_ARGUMENT, type CommandOption, type OperationCommand } from '../command.ts';
import {
  BODY,
  createPaidPost,
  createPayload,
  createRequestBody,
  DATABASE,
  FREE_GET,
  type Operation,
  type Parameter,
} from '../operation-model.ts';
import { watchEventsQuerySchema } from './requests.ts';
import { WATCH_CREATED_EXAMPLE, WATCH_RENEWED_EXAMPLE, WATCH_SCHEMAS } from './schemas.ts';
import { WATCH_EVENT_TYPES } from '../../events/watch-event-table.ts';

const PRICE_USD = '0.200000';

const ID: Parameter = {
  in: 'path',
  name: 'id',
  // A purchase returns the id as `watch_id`.
  argumentName: 'watch_id',
  required: true,
  description: 'Id of the watch.',
  schema: watchIdSchema,
  example: WATCH_ID_EXAMPLE,
};

/** Example of a cursor: the id of the seventh event of the watch. */
const CURSOR = formatEventId(WATCH_ID_EXAMPLE, 7);

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

/** Default of `--max-usd` for a watch, in US dollars: the price of a watch. */
const MAX_USD = PRICE_USD.replace(/0000$/, '');

const ID_ARGUMENT = { member: 'watch_id', name: 'id', text: 'id of the watch' } as const;

function createOwnerCommand(
  name: string,
  summary: string,
  options: readonly CommandOption[] = [],
): OperationCommand {
  return { name, summary, argument: ID_ARGUMENT, options, maxUsd: null, product: null, examples: [] };
}

export const createWatchOperation = createPaidPost(WATCH_SCHEMAS, {
  id: 'createWatch',
  tags: ['watch'],
  path: '/v1/watch-endpoint-30d',
  priceUsd: PRICE_USD,
  summary: 'Alerts on one x402 endpoint for 30 days',
  description:
    'Probes an endpoint of the catalog every 5 minutes for 30 days and reports a changed payTo address, price, asset or network, a less compliant challenge, a delisting, an outage and its end. Read the alerts with the secret in the response, or receive them at signed webhooks, Slack or Discord. Each delivery URL is tested first; if a test fails, nothing is charged. A URL with placeholders has no alerts on payTo and price.',
  request: 'watch-create-request',
  response: 'watch-created',
  outputExample: {
    watch_id: WATCH_ID_EXAMPLE,
    secret: WATCH_CREATED_EXAMPLE.secret,
    expires_at: WATCH_CREATED_EXAMPLE.expires_at,
  },
  problems: [
    'unknown-resource',
    'template-unresolved',
    'not-probeable',
    'delivery-unreachable',
    'watch-unavailable',
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
  tool: {
    place: 100,
    name: 'x402_watch_create',
    title: 'Watch an x402 endpoint for 30 days',
    text: 'Use it for an endpoint that you pay often. It is probed every 5 minutes for 30 days, and you are alerted of a changed payTo, price, asset or network, a delisting, an outage and its end. Give delivery URLs for signed webhooks, Slack or Discord, or read the alerts with x402_watch_events. Each delivery URL is tested first; if a test fails, nothing is charged. Returns watch_id and secret. Store the secret: it is shown once, and all other watch tools except renew need it.',
    isOpenWorld: true,
    isSlow: true,
  },
});

export const renewWatchOperation = createPaidPost(WATCH_SCHEMAS, {
  id: 'renewWatch',
  tags: ['watch'],
  path: '/v1/watch/{id}/renew',
  parameters: [ID],
  priceUsd: PRICE_USD,
  summary: 'Thirty more days of a watch',
  description:
    'Adds 30 days to a watch: to its end, or to the present time if it has expired. Secret, settings and log stay the same. Needs no secret, so anyone who knows the id can pay. Possible until 7 days after the end. A cancelled watch cannot be renewed, and nothing is charged. If the response has the status cancelled, the watch was cancelled during the settlement, and the payment added no days.',
  request: null,
  response: 'watch-renewed',
  outputExample: {
    watch_id: WATCH_ID_EXAMPLE,
    status: WATCH_RENEWED_EXAMPLE.status,
    expires_at: WATCH_RENEWED_EXAMPLE.expires_at,
  },
  problems: ['watch-not-found', 'watch-not-renewable'],
  command: {
    name: 'watch renew',
    summary: 'Adds 30 days to a watch, paid with a wallet through x402.',
    argument: ID_ARGUMENT,
    options: [],
    maxUsd: MAX_USD,
    product: { name: 'a renewed watch', description: '30 more days of the watch {watch_id}' },
    examples: [
      `touchstone watch renew --sandbox ${WATCH_ID_EXAMPLE}`,
      `touchstone watch renew --yes ${WATCH_ID_EXAMPLE}`,
    ],
  },
  tool: {
    place: 150,
    name: 'x402_watch_renew',
    title: 'Thirty more days of a watch',
    text: 'Use it before a watch ends, or at most 7 days after. Adds 30 days; watch_id, secret, settings and events stay the same. Needs the watch_id, and no secret. A cancelled watch cannot be renewed, and nothing is charged: call x402_watch_create instead. Returns the new end.',
    isOpenWorld: false,
  },
});

/** Common members of the free operations that need the secret of a watch. */
const OWNED = { ...FREE_GET, security: 'bearer', tags: ['watch'], parameters: [ID] } as const;

export const watchEventsOperation: Operation = {
  ...OWNED,
  id: 'readWatchEvents',
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
  response: createPayload(WATCH_SCHEMAS, 'watch-events'),
  problems: ['unauthorized', ...DATABASE],
  command: createOwnerCommand('watch events', 'Prints the events of a watch, also as they happen.'),
  tool: {
    place: 110,
    name: 'x402_watch_events',
    title: 'Alerts of a watch',
    text: 'Use it to read what happened to a watched endpoint. Needs watch_id and secret. Returns the alerts and the events on the watch itself, oldest first, at most 100 of each. Next time, send next_cursor as since and watch_events_cursor as watch_since to get only new events.',
    isOpenWorld: true,
  },
};

export const showWatchOperation: Operation = {
  ...OWNED,
  id: 'getWatch',
  path: '/v1/watch/{id}',
  summary: 'Status and settings of a watch',
  description:
    'Status, end, settings and delivery state of a watch. Delivery URLs are shortened, because they may be secrets.',
  response: createPayload(WATCH_SCHEMAS, 'watch'),
  problems: ['unauthorized', ...DATABASE],
  command: createOwnerCommand('watch show', 'Shows a watch and the state of its deliveries.'),
  tool: {
    place: 120,
    name: 'x402_watch_show',
    title: 'Status and settings of a watch',
    text: 'Use it to see whether a watch is active, when it ends, which alerts it reports, and whether its deliveries succeed. Needs watch_id and secret. Next: call x402_watch_edit to correct a setting, or x402_watch_renew before the watch ends.',
    isOpenWorld: false,
  },
};

export const editWatchOperation: Operation = {
  ...OWNED,
  id: 'editWatch',
  method: 'PATCH',
  path: '/v1/watch/{id}',
  summary: 'Change the settings of a watch',
  description:
    'Changes the types of alerts, the sensitivity or the delivery URLs of a watch that is not cancelled. Settings that are left out stay the same. The URLs of a kind, webhooks or chats, are replaced together. New URLs are tested first; if a test fails, nothing changes.',
  requestBody: createRequestBody(WATCH_SCHEMAS, 'watch-edit-request'),
  response: createPayload(WATCH_SCHEMAS, 'watch-edited'),
  problems: [...BODY, 'unauthorized', 'delivery-unreachable', 'watch-unavailable', ...DATABASE],
  command: createOwnerCommand(
    'watch edit',
    'Changes the alerts, the sensitivity or the delivery URLs of a watch.',
    SETTINGS,
  ),
  tool: {
    place: 130,
    name: 'x402_watch_edit',
    title: 'Change the settings of a watch',
    text: 'Use it to change the types of alerts, the sensitivity or the delivery URLs of a watch. Needs watch_id and secret, and at least one setting. Settings that are left out stay the same; all webhooks, or all chats, are replaced together. New URLs are tested first; if a test fails, nothing changes. Returns the watch.',
    isOpenWorld: true,
    isSlow: true,
  },
};

export const cancelWatchOperation: Operation = {
  ...OWNED,
  id: 'cancelWatch',
  method: 'DELETE',
  path: '/v1/watch/{id}',
  summary: 'Cancel a watch',
  description:
    'Ends a watch now, without a refund. Returns the watch, and may be repeated. Its log can be read for 30 more days.',
  response: createPayload(WATCH_SCHEMAS, 'watch'),
  problems: ['unauthorized', ...DATABASE],
  command: createOwnerCommand('watch cancel', 'Ends a watch now. Nothing is refunded.'),
  tool: {
    place: 140,
    name: 'x402_watch_cancel',
    title: 'Cancel a watch',
    text: 'Use it only when the alerts are no longer wanted: it ends the watch now, and nothing is refunded. Needs watch_id and secret. Returns the cancelled watch. Its events can be read for 30 more days. A cancelled watch cannot be renewed.',
    isOpenWorld: false,
  },
};
