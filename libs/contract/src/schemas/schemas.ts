import {
  KEY_SET_EXAMPLE,
  LEADERBOARD_EXAMPLE,
  PREVIEW_EXAMPLE,
  STATS_EXAMPLE,
} from '../examples/free-responses.ts';
import { HISTORY_EXAMPLE } from '../examples/history.ts';
import { PAYMENT_REQUIRED_EXAMPLE } from '../examples/payment-required.ts';
import { PROBLEM_EXAMPLE } from '../examples/problem.ts';
import {
  SEMANTIC_SEARCH_EXAMPLE,
  SEMANTIC_SEARCH_REQUEST_EXAMPLE,
  SIMILAR_EXAMPLE,
  SIMILAR_REQUEST_EXAMPLE,
} from '../examples/search.ts';
import {
  WATCH_CREATE_REQUEST_EXAMPLE,
  WATCH_CREATED_EXAMPLE,
  WATCH_EDIT_REQUEST_EXAMPLE,
  WATCH_EDITED_EXAMPLE,
  WATCH_EVENTS_EXAMPLE,
  WATCH_EXAMPLE,
  WATCH_RENEWED_EXAMPLE,
  WEBHOOK_MESSAGE_EXAMPLE,
} from '../examples/watch.ts';
import { TRUST_REPORT_EXAMPLE } from '../examples/trust-report.ts';
import { leaderboardSchema, previewSchema, statsSchema } from '../responses/free-responses.ts';
import { historySchema } from '../responses/history.ts';
import { paymentRequiredSchema } from '../responses/payment-required.ts';
import { problemSchema } from '../responses/problem.ts';
import { historyRequestSchema, previewRequestSchema, trustRequestSchema } from '../requests/requests.ts';
import { semanticSearchRequestSchema, similarRequestSchema } from '../requests/search-requests.ts';
import { semanticSearchSchema, similarSchema } from '../responses/search.ts';
import {
  watchCreatedSchema,
  watchEditedSchema,
  watchRenewedSchema,
  watchSchema,
} from '../responses/watch.ts';
import { watchEventsSchema, webhookMessageSchema } from '../responses/watch-events.ts';
import { watchCreateRequestSchema, watchEditRequestSchema } from '../requests/watch-requests.ts';
import { keySetSchema } from '../responses/signature.ts';
import { TRUST_SCHEMA_TYPE, TRUST_SCHEMA_VERSION, trustReportSchema } from '../responses/trust-report.ts';
import { ENDPOINT_SCHEMAS } from './endpoint-schemas.ts';
import type { PublishedSchema } from './published-schema.ts';

const resource = TRUST_REPORT_EXAMPLE.resource;

/** All published schemas by name. */
export const SCHEMAS = {
  [TRUST_SCHEMA_TYPE]: {
    title: 'Trust report',
    description: 'Measurements, score and recommendation of one x402 endpoint.',
    path: `/schemas/${TRUST_SCHEMA_TYPE}/${TRUST_SCHEMA_VERSION}.json`,
    component: 'TrustReport',
    schema: trustReportSchema,
    io: 'output',
    example: TRUST_REPORT_EXAMPLE,
  },
  'x402-trust-request': {
    title: 'Trust request',
    description: 'Endpoint of the requested trust report.',
    path: '/schemas/x402-trust-request/1.0.0.json',
    component: 'TrustRequest',
    schema: trustRequestSchema,
    io: 'input',
    example: { resource },
  },
  'x402-history': {
    title: 'History',
    description: 'Events, probes and daily figures of one x402 endpoint, each oldest first.',
    path: '/schemas/x402-history/1.0.0.json',
    component: 'History',
    schema: historySchema,
    io: 'output',
    example: HISTORY_EXAMPLE,
  },
  'x402-history-request': {
    title: 'History request',
    description: 'Endpoint and number of days of the requested history.',
    path: '/schemas/x402-history-request/1.0.0.json',
    component: 'HistoryRequest',
    schema: historyRequestSchema,
    io: 'input',
    example: { resource, days: 30 },
  },
  ...ENDPOINT_SCHEMAS,
  'semantic-search': {
    title: 'Semantic search',
    description: 'Endpoints that match a description, best first.',
    path: '/schemas/semantic-search/1.0.0.json',
    component: 'SemanticSearch',
    schema: semanticSearchSchema,
    io: 'output',
    example: SEMANTIC_SEARCH_EXAMPLE,
  },
  'semantic-search-request': {
    title: 'Semantic search request',
    description: 'Description of the wanted endpoints, and the maximum number of matches.',
    path: '/schemas/semantic-search-request/1.0.0.json',
    component: 'SemanticSearchRequest',
    schema: semanticSearchRequestSchema,
    io: 'input',
    example: SEMANTIC_SEARCH_REQUEST_EXAMPLE,
  },
  similar: {
    title: 'Alternatives',
    description: 'Endpoints with the same purpose as one x402 endpoint and a better score, best first.',
    path: '/schemas/similar/1.0.0.json',
    component: 'Similar',
    schema: similarSchema,
    io: 'output',
    example: SIMILAR_EXAMPLE,
  },
  'similar-request': {
    title: 'Alternatives request',
    description: 'Endpoint, maximum number of alternatives and minimum difference of the scores.',
    path: '/schemas/similar-request/1.0.0.json',
    component: 'SimilarRequest',
    schema: similarRequestSchema,
    io: 'input',
    example: SIMILAR_REQUEST_EXAMPLE,
  },
  'watch-create-request': {
    title: 'Watch request',
    description: 'Endpoint to watch, types of alerts, sensitivity and delivery URLs.',
    path: '/schemas/watch-create-request/1.0.0.json',
    component: 'WatchCreateRequest',
    schema: watchCreateRequestSchema,
    io: 'input',
    example: WATCH_CREATE_REQUEST_EXAMPLE,
  },
  'watch-created': {
    title: 'New watch',
    description: 'Watch that was bought, with its secret and the connection tests.',
    path: '/schemas/watch-created/1.0.0.json',
    component: 'WatchCreated',
    schema: watchCreatedSchema,
    io: 'output',
    example: WATCH_CREATED_EXAMPLE,
  },
  watch: {
    title: 'Watch',
    description: 'Status, settings and delivery state of a watch.',
    path: '/schemas/watch/1.0.0.json',
    component: 'Watch',
    schema: watchSchema,
    io: 'output',
    example: WATCH_EXAMPLE,
  },
  'watch-edit-request': {
    title: 'Watch edit',
    description: 'Settings of a watch that change. The others stay the same.',
    path: '/schemas/watch-edit-request/1.0.0.json',
    component: 'WatchEditRequest',
    schema: watchEditRequestSchema,
    io: 'input',
    example: WATCH_EDIT_REQUEST_EXAMPLE,
  },
  'watch-edited': {
    title: 'Edited watch',
    description: 'Watch after an edit, with the connection tests of new URLs.',
    path: '/schemas/watch-edited/1.0.0.json',
    component: 'WatchEdited',
    schema: watchEditedSchema,
    io: 'output',
    example: WATCH_EDITED_EXAMPLE,
  },
  'watch-renewed': {
    title: 'Renewed watch',
    description: 'Watch after a renewal, without its settings.',
    path: '/schemas/watch-renewed/1.0.0.json',
    component: 'WatchRenewed',
    schema: watchRenewedSchema,
    io: 'output',
    example: WATCH_RENEWED_EXAMPLE,
  },
  'watch-events': {
    title: 'Events of a watch',
    description:
      'Alerts, and events on the watch itself, oldest first, with the cursors of the next request.',
    path: '/schemas/watch-events/1.0.0.json',
    component: 'WatchEvents',
    schema: watchEventsSchema,
    io: 'output',
    example: WATCH_EVENTS_EXAMPLE,
  },
  'webhook-message': {
    title: 'Webhook message',
    description: 'Body of a signed message to a webhook, in the format of Standard Webhooks.',
    path: '/schemas/webhook-message/1.0.0.json',
    component: 'WebhookMessage',
    schema: webhookMessageSchema,
    io: 'output',
    example: WEBHOOK_MESSAGE_EXAMPLE,
  },
  'x402-trust-preview': {
    title: 'Preview',
    description: 'Complete trust reports on the endpoints with the best, the median and the worst score.',
    path: '/schemas/x402-trust-preview/1.0.0.json',
    component: 'Preview',
    schema: previewSchema,
    io: 'output',
    example: PREVIEW_EXAMPLE,
  },
  'x402-trust-preview-request': {
    title: 'Preview request',
    description: 'Empty object: the preview has no parameters.',
    path: '/schemas/x402-trust-preview-request/1.0.0.json',
    component: 'PreviewRequest',
    schema: previewRequestSchema,
    io: 'input',
    example: {},
  },
  leaderboard: {
    title: 'Leaderboard',
    description: 'Up to 25 endpoints with the best scores.',
    path: '/schemas/leaderboard/1.0.0.json',
    component: 'Leaderboard',
    schema: leaderboardSchema,
    io: 'output',
    example: LEADERBOARD_EXAMPLE,
  },
  stats: {
    title: 'Stats',
    description: 'The x402 ecosystem in numbers.',
    path: '/schemas/stats/1.0.0.json',
    component: 'Stats',
    schema: statsSchema,
    io: 'output',
    example: STATS_EXAMPLE,
  },
  problem: {
    title: 'Problem',
    description: 'Error of this service, by RFC 9457.',
    path: '/schemas/problem/1.0.0.json',
    component: 'Problem',
    schema: problemSchema,
    io: 'output',
    example: PROBLEM_EXAMPLE,
  },
  'payment-required': {
    title: 'Payment required',
    description: 'Challenge of a paid operation, by x402 version 2.',
    path: '/schemas/payment-required/1.0.0.json',
    component: 'PaymentRequired',
    schema: paymentRequiredSchema,
    io: 'output',
    example: PAYMENT_REQUIRED_EXAMPLE,
  },
  'key-set': {
    title: 'Key set',
    description: 'Public keys of report signatures.',
    path: '/schemas/key-set/1.0.0.json',
    component: 'KeySet',
    schema: keySetSchema,
    io: 'output',
    example: KEY_SET_EXAMPLE,
  },
} as const satisfies Readonly<Record<string, PublishedSchema>>;

export type SchemaName = keyof typeof SCHEMAS;
