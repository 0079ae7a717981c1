import { TEXT_LIMITS, type WatchEvent, type WebhookMessage } from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';

/** Returns the body of the webhook message of an event, as JSON. */
export function toWebhookBody(event: WatchEvent, watchId: string): string {
  const { event_id, severity, endpoint, observed_at_iso: timestamp } = event;
  const origin = { watch_id: watchId, event_id, severity, endpoint };
  return JSON.stringify({ type: event.type, timestamp, data: { ...origin, ...event.data } });
}

/** Test message for a new webhook URL. */
type ConnectionTestMessage = Extract<WebhookMessage, { readonly type: 'connection_test' }>;

/** Returns the body of the test message for a new webhook URL, as JSON. */
export function toTestBody(test: {
  readonly watchId: string;
  readonly resource: string;
  readonly at: number;
}): string {
  const message: ConnectionTestMessage = {
    type: 'connection_test',
    timestamp: new Date(test.at).toISOString(),
    data: {
      watch_id: test.watchId,
      endpoint: cleanText(test.resource, TEXT_LIMITS.resource) ?? '',
      summary: 'Connection test: events of this watch will arrive here.',
    },
  };
  return JSON.stringify(message);
}
