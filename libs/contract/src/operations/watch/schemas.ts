import type { PublishedSchemas } from '../../shared/json-schema.ts';
import {
  WATCH_CREATE_REQUEST_EXAMPLE,
  WATCH_CREATED_EXAMPLE,
  WATCH_EDIT_REQUEST_EXAMPLE,
  WATCH_EDITED_EXAMPLE,
  WATCH_EVENTS_EXAMPLE,
  WATCH_EXAMPLE,
  WATCH_RENEWED_EXAMPLE,
  WEBHOOK_MESSAGE_EXAMPLE,
} from './example.ts';
import { watchCreateRequestSchema, watchEditRequestSchema } from './requests.ts';
import { watchCreatedSchema, watchEditedSchema, watchRenewedSchema, watchSchema } from './responses.ts';
import { watchEventsSchema, webhookMessageSchema } from './watch-events.ts';

/** Published schemas of a watch, by name. */
export const WATCH_SCHEMAS = {
  'watch-create-request': {
    title: 'Watch request',
    description: 'Endpoint to watch, types of alerts, sensitivity and delivery URLs.',
    component: 'WatchCreateRequest',
    schema: watchCreateRequestSchema,
    io: 'input',
    example: WATCH_CREATE_REQUEST_EXAMPLE,
  },
  'watch-created': {
    title: 'New watch',
    description: 'Watch that was bought, with its secret and the connection tests.',
    component: 'WatchCreated',
    schema: watchCreatedSchema,
    io: 'output',
    example: WATCH_CREATED_EXAMPLE,
  },
  watch: {
    title: 'Watch',
    description: 'Status, settings and delivery state of a watch.',
    component: 'Watch',
    schema: watchSchema,
    io: 'output',
    example: WATCH_EXAMPLE,
  },
  'watch-edit-request': {
    title: 'Watch edit',
    description: 'Settings of a watch that change. The others stay the same.',
    component: 'WatchEditRequest',
    schema: watchEditRequestSchema,
    io: 'input',
    example: WATCH_EDIT_REQUEST_EXAMPLE,
  },
  'watch-edited': {
    title: 'Edited watch',
    description: 'Watch after an edit, with the connection tests of new URLs.',
    component: 'WatchEdited',
    schema: watchEditedSchema,
    io: 'output',
    example: WATCH_EDITED_EXAMPLE,
  },
  'watch-renewed': {
    title: 'Renewed watch',
    description: 'Watch after a renewal, without its settings.',
    component: 'WatchRenewed',
    schema: watchRenewedSchema,
    io: 'output',
    example: WATCH_RENEWED_EXAMPLE,
  },
  'watch-events': {
    title: 'Events of a watch',
    description:
      'Alerts, and events on the watch itself, oldest first, with the cursors of the next request.',
    component: 'WatchEvents',
    schema: watchEventsSchema,
    io: 'output',
    example: WATCH_EVENTS_EXAMPLE,
  },
  'webhook-message': {
    title: 'Webhook message',
    description: 'Body of a signed message to a webhook, in the format of Standard Webhooks.',
    component: 'WebhookMessage',
    schema: webhookMessageSchema,
    io: 'output',
    example: WEBHOOK_MESSAGE_EXAMPLE,
  },
} as const satisfies PublishedSchemas;
