import { z } from 'zod';
import { WATCH_EVENT_TYPES, WATCH_LIFECYCLE_TYPES } from '../../events/watch-event-table.ts';
import { watchedStateSchema } from '../../events/watched-state.ts';
import {
  MAX_DELIVERY_URL_CHARS,
  MAX_WATCH_EVENTS,
  WATCH_CHANNELS,
  WATCH_SEVERITIES,
} from '../../shared/watch-constants.ts';
import { EVENT_ID_PATTERN } from './watch-ids.ts';
import { purchaseNoticeSchema } from '../claim/unpublished-purchase.ts';
import { link, text, time } from '../../shared/scalars.ts';
import { endpointPage, expiresAt, watchedEndpoint, watchId, watchStatus } from './responses.ts';

const sequence = z.int().min(1).describe('Position in the log of the watch, from 1 without gaps.');
const summary = text('sentence').describe('The event as a sentence. It may contain unverified text.');
const eventId = z
  .string()
  .regex(EVENT_ID_PATTERN)
  .describe('Id of the event; the same in every delivery. It can be used as a cursor.');
const severity = z.enum(WATCH_SEVERITIES).describe('Severity: critical, warning or info.');
const observedAt = time.describe(
  'Time at which the change was first observed; for liveness_down, of the probe that confirmed it.',
);

/** Members of an alert: among others, the states of the endpoint before and after the alert. */
const alertData = {
  sequence,
  summary,
  endpoint_page: endpointPage,
  before: watchedStateSchema.describe(
    'State before: payment terms, compliance, listing or liveness; null when it is unknown. Unverified text.',
  ),
  after: watchedStateSchema.describe(
    'State from then on, of the same kind; null when it is unknown. Unverified text.',
  ),
  varies: z
    .literal(true)
    .exactOptional()
    .describe(
      'Present when the payTo address began to vary: three values or three changes within a day. No payto_change follows until the address stays the same for a day.',
    ),
};

const period = z.strictObject({ expires_at: expiresAt });

/** Members of a lifecycle event (an event on the watch itself). */
const lifecycleData = {
  sequence,
  summary,
  endpoint_page: endpointPage,
  expires_at: time.exactOptional().describe('End of the watch; in created, expiring and expired.'),
  changed: z
    .array(z.enum(['events', 'liveness_sensitivity_n', 'delivery']).describe('One setting.'))
    .max(3)
    .exactOptional()
    .describe('Changed settings; in edited.'),
  before: period.exactOptional().describe('End of the watch before; in renewed.'),
  after: period.exactOptional().describe('End of the watch from then on; in renewed.'),
  channel: z
    .enum(WATCH_CHANNELS)
    .exactOptional()
    .describe('Format of the disabled destination; in delivery_disabled.'),
  url: z
    .string()
    .max(MAX_DELIVERY_URL_CHARS)
    .exactOptional()
    .describe('Shortened URL of the disabled destination; in delivery_disabled.'),
  reason: z
    .enum(['gone', 'failing', 'refused'])
    .exactOptional()
    .describe(
      'gone: the URL does not exist; failing: it failed for 120 hours; refused: a file of the host refuses messages; in delivery_disabled.',
    ),
  purchase: purchaseNoticeSchema
    .exactOptional()
    .describe('The test purchase; in purchase_not_delivered, which only the notices of a claim have.'),
};

const alert = z.strictObject({
  event_id: eventId,
  type: z.enum(WATCH_EVENT_TYPES).describe('Type of the alert.'),
  severity,
  observed_at_iso: observedAt,
  endpoint: watchedEndpoint,
  data: z.strictObject(alertData).describe('Details of the alert.'),
});

const lifecycleEvent = z.strictObject({
  event_id: eventId,
  type: z.enum(WATCH_LIFECYCLE_TYPES).describe('Type of the event.'),
  severity,
  observed_at_iso: observedAt,
  endpoint: watchedEndpoint,
  data: z.strictObject(lifecycleData).describe('Details of the event.'),
});

const cursor = z.string().regex(EVENT_ID_PATTERN);

/**
 * Response with the events of a watch: the alerts after one cursor, and the events on the watch itself after another
 * cursor.
 */
export const watchEventsSchema = z.strictObject({
  watch_id: watchId,
  status: watchStatus,
  endpoint: watchedEndpoint,
  expires_at: expiresAt,
  events: z
    .array(alert.describe('One alert.'))
    .max(MAX_WATCH_EVENTS)
    .describe('Alerts after `since`, oldest first.'),
  next_cursor: cursor.describe('Value of `since` for the next request.'),
  watch_events: z
    .array(lifecycleEvent.describe('One event on the watch itself.'))
    .max(MAX_WATCH_EVENTS)
    .describe('Events on the watch itself after `watch_since`, oldest first.'),
  watch_events_cursor: cursor.describe('Value of `watch_since` for the next request.'),
  has_more: z.boolean().describe('True when there are more events: repeat the request with both cursors.'),
});

/** Members of every webhook message: the watch, and how a receiver learns who sends the message and refuses it. */
const sender = {
  watch_id: watchId,
  endpoint: watchedEndpoint,
  sender_page: link.describe('Page on who sends this message, why, and how to stop it.'),
  refusal: text('sentence').describe('How a receiver refuses all further messages.'),
};
/** Members that the webhook message of an event has beside the details of the event. */
const origin = { ...sender, event_id: eventId, severity };
const timestamp = time.describe('Time of the event; webhook-timestamp has the time of the attempt.');

export const webhookMessageSchema = z.union([
  z.strictObject({
    type: z.enum(WATCH_EVENT_TYPES).describe('Type of the alert.'),
    timestamp,
    data: z.strictObject({ ...origin, ...alertData }).describe('The alert.'),
  }),
  z.strictObject({
    type: z.enum(WATCH_LIFECYCLE_TYPES).describe('Type of the event on the watch itself.'),
    timestamp,
    data: z.strictObject({ ...origin, ...lifecycleData }).describe('The event.'),
  }),
  z.strictObject({
    type: z.literal('connection_test').describe('Test of a new URL. Respond with status 2xx.'),
    timestamp,
    data: z.strictObject({ ...sender, summary }).describe('The tested watch.'),
  }),
  z.strictObject({
    type: z
      .literal('delivery_digest')
      .describe('Sent instead of two or more events over the daily limit of messages to one receiver.'),
    timestamp: time.describe('Time of the last event.'),
    data: z
      .strictObject({
        ...sender,
        severity: severity.describe('Highest severity of the events.'),
        summary,
        poll_url: link.describe('GET it with the bearer secret to read the events.'),
        first_sequence: sequence.describe('Sequence number of the first event.'),
        last_sequence: sequence.describe('Sequence number of the last event.'),
      })
      .describe('The events that could not be delivered singly. All of them are in the log.'),
  }),
]);

export type WatchAlert = z.infer<typeof alert>;
export type WatchLifecycleEvent = z.infer<typeof lifecycleEvent>;
export type WatchEvent = WatchAlert | WatchLifecycleEvent;
export type WatchEvents = z.infer<typeof watchEventsSchema>;
export type WebhookMessage = z.infer<typeof webhookMessageSchema>;
