import { z } from 'zod';
import { WATCH_EVENT_TYPES } from '../../events/watch-event-table.ts';
import {
  LIVENESS_SENSITIVITY,
  MAX_DELIVERY_URLS,
  MAX_DELIVERY_URL_CHARS,
  WATCH_CHANNELS,
  WATCH_STATUSES,
} from '../../shared/watch-constants.ts';
import { watchIdSchema } from './watch-ids.ts';
import { count, link, text, time } from '../../shared/scalars.ts';

export const watchId = watchIdSchema.describe('Id of the watch.');
export const watchStatus = z
  .enum(WATCH_STATUSES)
  .describe(
    'pending: its payment is not settled yet; active; cancelled: its owner cancelled it; expired: its time is over.',
  );
export const watchedEndpoint = text('resource').describe('Canonical URL of the watched endpoint.');
export const endpointPage = link.describe('URL of the public page of the endpoint.');
export const expiresAt = time.describe('End of the watch, unless it is renewed.');
const httpStatus = z.int().min(100).max(999).nullable().describe('HTTP status; null without a response.');
const ok = z
  .boolean()
  .describe('True when the URL responded with status 2xx in time, and a chat accepted the message.');
const error = text('failure')
  .nullable()
  .describe('Cause of the failure, such as http-404 or timeout; null when it succeeded.');

const settings = {
  events: z
    .array(z.enum(WATCH_EVENT_TYPES).describe('One type of alert.'))
    .min(1)
    .max(WATCH_EVENT_TYPES.length)
    .describe('Types of alerts that the watch reports.'),
  liveness_sensitivity_n: z
    .int()
    .min(LIVENESS_SENSITIVITY.min)
    .max(LIVENESS_SENSITIVITY.max)
    .describe('Number of consecutive missed probes before liveness_down.'),
};

const links = {
  poll_url: link.describe('GET it with the bearer secret to read the events.'),
  renew_url: link.describe('POST to it with a payment to add 30 days. The secret stays the same.'),
  edit_url: link.describe('PATCH it with the bearer secret to change events, sensitivity or delivery URLs.'),
  cancel_url: link.describe('DELETE it with the bearer secret to end the watch now. Nothing is refunded.'),
};

const connectionTest = z.strictObject({
  url: z
    .string()
    .max(MAX_DELIVERY_URL_CHARS)
    .describe('The tested URL. The path of a chat URL is shortened, because it is a secret.'),
  ok,
  status: httpStatus,
  ms: count.describe('Duration of the last try, in milliseconds.'),
  error,
});

const connectionTests = z
  .array(connectionTest.describe('One tested URL.'))
  .max(2 * MAX_DELIVERY_URLS)
  .describe('Connection tests of the new delivery URLs.');

/** Response to the purchase of a watch. Only this response contains the secret of the watch. */
export const watchCreatedSchema = z.strictObject({
  watch_id: watchId,
  secret: z
    .string()
    .regex(/^wsk_[A-Za-z0-9_-]{43}$/)
    .describe('Bearer secret of the watch. Store it: it is shown once, and only its hash is stored.'),
  webhook_secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{86}==$/)
    .describe(
      'Key of the webhook signatures, for libraries of Standard Webhooks. It is derived from the secret.',
    ),
  endpoint: watchedEndpoint,
  endpoint_page: endpointPage,
  ...settings,
  expires_at: expiresAt,
  ...links,
  delivery: z
    .strictObject({ connection_test: connectionTests })
    .describe('Result of the connection tests before the payment.'),
  next_steps: z
    .array(text('sentence').describe('One step.'))
    .max(10)
    .describe('Next steps for the owner, as sentences.'),
});

const lastAttempt = z.strictObject({
  at: time.describe('Time of the attempt.'),
  http_status: httpStatus,
  ok,
  error,
});

const destination = z.strictObject({
  channel: z.enum(WATCH_CHANNELS).describe('Format of the messages.'),
  url: z
    .string()
    .max(MAX_DELIVERY_URL_CHARS)
    .describe('Origin and last four characters of the URL. The whole URL is not shown.'),
  status: z
    .enum(['active', 'failing', 'disabled'])
    .describe(
      'active; failing: the latest messages failed and are sent again; disabled: no more messages are sent.',
    ),
  disabled_reason: z
    .enum(['gone', 'failing', 'refused'])
    .nullable()
    .describe(
      'gone: the URL responded that it does not exist; failing: no message succeeded for 120 hours; refused: a file of the host refuses messages; null unless disabled.',
    ),
  failing_since: time.nullable().describe('Time of the first failure since the last success; null without.'),
  pending_events: count.describe('Number of events that still have to be sent.'),
  last_attempt: lastAttempt.nullable().describe('Latest attempt; null before the first.'),
});

const destinations = z.array(destination.describe('One destination.')).max(MAX_DELIVERY_URLS);

export const watchSchema = z.strictObject({
  watch_id: watchId,
  status: watchStatus,
  endpoint: watchedEndpoint,
  endpoint_page: endpointPage,
  ...settings,
  created_at: time.describe('Time of the purchase.'),
  expires_at: expiresAt,
  cancelled_at: time.nullable().describe('Time of the cancellation; null unless cancelled.'),
  ...links,
  delivery: z
    .strictObject({
      webhooks: destinations.describe('Signed webhooks.'),
      chats: destinations.describe('Incoming webhooks of chat services.'),
    })
    .describe('Destinations of the events, with the state of their delivery.'),
});

/** Response to an edit: the changed watch, and the connection tests of new URLs. */
export const watchEditedSchema = watchSchema.extend({ connection_test: connectionTests });

/** Response to a renewal. The response has no settings, because anyone who knows the id may renew a watch. */
export const watchRenewedSchema = z.strictObject({
  watch_id: watchId,
  status: watchStatus
    .extract(['active', 'cancelled'])
    .describe(
      'active; cancelled: the owner cancelled the watch during the settlement, so the payment was charged and added no days.',
    ),
  endpoint: watchedEndpoint,
  endpoint_page: endpointPage,
  expires_at: time.describe('End of the watch after the settlement of this renewal.'),
  ...links,
});

export type ConnectionTest = z.infer<typeof connectionTest>;
export type WatchCreated = z.infer<typeof watchCreatedSchema>;
export type WatchDestination = z.infer<typeof destination>;
export type Watch = z.infer<typeof watchSchema>;
export type WatchEditResponse = z.infer<typeof watchEditedSchema>;
export type WatchRenewed = z.infer<typeof watchRenewedSchema>;
