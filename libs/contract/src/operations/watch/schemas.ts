import { EXAMPLE_ASSET, EXAMPLE_NETWORK, EXAMPLE_PAY_TO } from '../../shared/values.ts';
import type { z } from 'zod';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { TRUST_REPORT_EXAMPLE as report } from '../trust-report/report-schema.ts';
import { watchCreateRequestSchema, watchEditRequestSchema } from './requests.ts';
import {
  watchCreatedSchema,
  watchEditedSchema,
  watchRenewedSchema,
  watchSchema,
  type Watch,
  type WatchCreated,
} from './responses.ts';
import {
  watchEventsSchema,
  webhookMessageSchema,
  type WatchEvents,
  type WebhookMessage,
} from './watch-events.ts';
import { REFUSAL, WATCH_MESSAGES_SECTION } from '../../shared/watch-constants.ts';
import { formatEventId, WATCH_ID_EXAMPLE } from './watch-ids.ts';

const watchUrl = `https://touchstone.example/v1/watch/${WATCH_ID_EXAMPLE}`;
const CREATED_AT = '2026-06-01T00:00:00.000Z';
const EXPIRES_AT = '2026-07-01T00:00:00.000Z';
const EXPIRES_AFTER_RENEWAL = '2026-07-31T00:00:00.000Z';
const webhook = 'https://example.com/alerts';

const subject = {
  watch_id: WATCH_ID_EXAMPLE,
  endpoint: report.resource,
  endpoint_page: report.endpointPage,
  expires_at: EXPIRES_AT,
} as const;

const links = {
  poll_url: `${watchUrl}/events`,
  renew_url: `${watchUrl}/renew`,
  edit_url: watchUrl,
  cancel_url: watchUrl,
} as const;

const connectionTest = { url: webhook, ok: true, status: 204, ms: 84, error: null } as const;

/** Example of a request for a watch. The example has no delivery URL, so agents can send the example unchanged. */
const WATCH_CREATE_REQUEST_EXAMPLE: z.input<typeof watchCreateRequestSchema> = {
  endpoint: report.resource,
  events: ['payto_change', 'price_change', 'liveness_down', 'liveness_recovered'],
  liveness_sensitivity_n: 2,
};

/**
 * Example of the response to a request with one webhook. The webhook secret is derived from the secret of the watch.
 */
export const WATCH_CREATED_EXAMPLE: WatchCreated = {
  ...subject,
  secret: 'wsk_ZXhhbXBsZS1vZi1hLXdhdGNoLXNlY3JldC0zMi1ieXQ',
  webhook_secret:
    'whsec_NGI1YTdiNjRlYjFiNGU4YzMwOTcxNDg0MWM2NWM1YTI1Y2NjODgzMTA1ZTI4MWQyZTBkYmJiMTM0MzhiOTI2Nw==',
  events: ['payto_change', 'price_change', 'liveness_down', 'liveness_recovered'],
  liveness_sensitivity_n: 2,
  ...links,
  delivery: { connection_test: [connectionTest] },
  next_steps: [
    'Store the secret now. It is shown once.',
    'Read the events: GET poll_url with the header Authorization: Bearer and the secret.',
  ],
};

/** Example of a watch with one webhook, after one message was sent to the webhook. */
const WATCH_EXAMPLE: Watch = {
  ...subject,
  status: 'active',
  events: WATCH_CREATED_EXAMPLE.events,
  liveness_sensitivity_n: 3,
  created_at: CREATED_AT,
  cancelled_at: null,
  ...links,
  delivery: {
    webhooks: [
      {
        channel: 'webhook',
        url: 'https://example.com/…erts',
        status: 'active',
        disabled_reason: null,
        failing_since: null,
        pending_events: 0,
        last_attempt: { at: '2026-06-02T08:05:01.000Z', http_status: 204, ok: true, error: null },
      },
    ],
    chats: [],
  },
};

export const WATCH_RENEWED_EXAMPLE = {
  ...subject,
  expires_at: EXPIRES_AFTER_RENEWAL,
  status: 'active' as const,
  ...links,
};

/** Returns payment terms with one option: 0.01 USDC on Base. */
function createTerms(payTo: string) {
  const option = {
    scheme: 'exact',
    network: EXAMPLE_NETWORK,
    asset: EXAMPLE_ASSET,
    asset_symbol: 'USDC',
    decimals: 6,
    amount: '10000',
    amount_usd: '0.010000',
    pay_to: payTo,
  };
  return { protocol_version: 2 as const, options: [option] };
}

const alertId = formatEventId(WATCH_ID_EXAMPLE, 2);
const alertData = {
  sequence: 2,
  summary: 'The payTo address changed. It may be a takeover: do not pay before you know the new address.',
  endpoint_page: report.endpointPage,
  before: createTerms(EXAMPLE_PAY_TO),
  after: createTerms('0x857b06519E91e3A54538791bDbb0E22373e36b66'),
};

const created: WatchEvents['watch_events'][number] = {
  event_id: formatEventId(WATCH_ID_EXAMPLE, 1),
  type: 'created',
  severity: 'info',
  observed_at_iso: CREATED_AT,
  endpoint: report.resource,
  data: {
    sequence: 1,
    summary: 'The watch began.',
    endpoint_page: report.endpointPage,
    expires_at: EXPIRES_AT,
  },
};

/** Example of the log of a watch, with an alert about a changed payTo address. */
const WATCH_EVENTS_EXAMPLE: WatchEvents = {
  watch_id: WATCH_ID_EXAMPLE,
  status: 'active',
  endpoint: report.resource,
  expires_at: EXPIRES_AT,
  events: [
    {
      event_id: alertId,
      type: 'payto_change',
      severity: 'critical',
      observed_at_iso: '2026-06-02T08:05:00.000Z',
      endpoint: report.resource,
      data: alertData,
    },
  ],
  next_cursor: alertId,
  watch_events: [created],
  watch_events_cursor: created.event_id,
  has_more: false,
};

const WEBHOOK_MESSAGE_EXAMPLE: WebhookMessage = {
  type: 'payto_change',
  timestamp: '2026-06-02T08:05:00.000Z',
  data: {
    watch_id: WATCH_ID_EXAMPLE,
    event_id: alertId,
    severity: 'critical',
    endpoint: report.resource,
    ...alertData,
    sender_page: `https://touchstone.example/docs#${WATCH_MESSAGES_SECTION}`,
    refusal: REFUSAL,
  },
};

export const WATCH_SCHEMAS = {
  'watch-create-request': {
    title: 'Watch request',
    description: 'Endpoint to watch, types of alerts, sensitivity and delivery URLs.',
    component: 'WatchCreateRequest',
    schema: watchCreateRequestSchema,
    isRequest: true,
    example: WATCH_CREATE_REQUEST_EXAMPLE,
  },
  'watch-created': {
    title: 'New watch',
    description: 'Watch that was bought, with its secret and the connection tests.',
    component: 'WatchCreated',
    schema: watchCreatedSchema,
    example: WATCH_CREATED_EXAMPLE,
  },
  watch: {
    title: 'Watch',
    description: 'Status, settings and delivery state of a watch.',
    component: 'Watch',
    schema: watchSchema,
    example: WATCH_EXAMPLE,
  },
  'watch-edit-request': {
    title: 'Watch edit',
    description: 'Settings of a watch that change. The others stay the same.',
    component: 'WatchEditRequest',
    schema: watchEditRequestSchema,
    isRequest: true,
    example: {
      liveness_sensitivity_n: 3,
      delivery: { webhook_url: webhook, slack_urls: [] },
    },
  },
  'watch-edited': {
    title: 'Edited watch',
    description: 'Watch after an edit, with the connection tests of new URLs.',
    component: 'WatchEdited',
    schema: watchEditedSchema,
    example: { ...WATCH_EXAMPLE, connection_test: [connectionTest] },
  },
  'watch-renewed': {
    title: 'Renewed watch',
    description: 'Watch after a renewal, without its settings.',
    component: 'WatchRenewed',
    schema: watchRenewedSchema,
    example: WATCH_RENEWED_EXAMPLE,
  },
  'watch-events': {
    title: 'Events of a watch',
    description:
      'Alerts, and events on the watch itself, oldest first, with the cursors of the next request.',
    component: 'WatchEvents',
    schema: watchEventsSchema,
    example: WATCH_EVENTS_EXAMPLE,
  },
  'webhook-message': {
    title: 'Webhook message',
    description: 'Body of a signed message to a webhook, in the format of Standard Webhooks.',
    component: 'WebhookMessage',
    schema: webhookMessageSchema,
    example: WEBHOOK_MESSAGE_EXAMPLE,
  },
} as const satisfies PublishedSchemas;
