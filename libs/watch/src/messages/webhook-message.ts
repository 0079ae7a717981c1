import { createHmac } from 'node:crypto';
import { TEXT_LIMITS, type WatchEvent, type WebhookMessage } from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import { Webhook } from 'standardwebhooks';
import { toSenderNotice } from './sender-notice.ts';

export function toWebhookBody(event: WatchEvent, watchId: string): string {
  const { event_id, severity, endpoint, observed_at_iso: timestamp } = event;
  const origin = { watch_id: watchId, event_id, severity, endpoint };
  const notice = toSenderNotice(event.data.endpoint_page);
  return JSON.stringify({ type: event.type, timestamp, data: { ...origin, ...event.data, ...notice } });
}

type ConnectionTestMessage = Extract<WebhookMessage, { readonly type: 'connection_test' }>;

/** Returns the body of the test message for a new webhook URL, as JSON. */
export function toTestBody(test: {
  readonly watchId: string;
  readonly resource: string;
  readonly baseUrl: string;
  readonly at: number;
}): string {
  const message: ConnectionTestMessage = {
    type: 'connection_test',
    timestamp: new Date(test.at).toISOString(),
    data: {
      watch_id: test.watchId,
      endpoint: cleanText(test.resource, TEXT_LIMITS.resource) ?? '',
      summary: 'Connection test: events of this watch will arrive here.',
      ...toSenderNotice(test.baseUrl),
    },
  };
  return JSON.stringify(message);
}

/** Message to a webhook before it is signed. */
export interface UnsignedMessage {
  /** Id of the message, the same in every attempt. */
  readonly id: string;
  /** Exact text of the body. */
  readonly body: string;
}

/**
 * Returns the headers of one attempt to deliver a message: a signature of the body, and the headers of Standard
 * Webhooks. The signature of Standard Webhooks also covers the id and the time. The key of both signatures is the
 * signing key as ASCII text.
 *
 * @param at time of the attempt, in milliseconds since the epoch
 */
export function signMessage(
  { id, body }: UnsignedMessage,
  signingKey: string,
  at: number,
): Readonly<Record<string, string>> {
  const webhook = new Webhook(signingKey, { format: 'raw' });
  return {
    'x-signature': `sha256=${createHmac('sha256', signingKey).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': webhook.sign(id, new Date(at), body),
  };
}
