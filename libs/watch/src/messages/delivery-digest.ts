import {
  MAX_DAILY_MESSAGES,
  MAX_DAILY_MESSAGES_PER_WATCH,
  TEXT_LIMITS,
  WATCH_EVENTS,
  WATCH_SEVERITIES,
  type WatchEvent,
  type WebhookMessage,
} from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import { toSenderNotice } from './sender-notice.ts';

/** Events of one watch that were over the daily limit of messages. */
export interface DeliveryDigest {
  readonly watchId: string;
  /** URL of the watched endpoint, as shown to people. */
  readonly resource: string;
  /** URL at which the owner of the watch reads the events. */
  readonly pollUrl: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** Time of the last event, in milliseconds since the epoch. */
  readonly lastAt: number;
  readonly counts: Readonly<Partial<Record<WatchEvent['type'], number>>>;
}

type DigestMessage = Extract<WebhookMessage, { readonly type: 'delivery_digest' }>;

export function toDigestMessage(digest: DeliveryDigest): DigestMessage {
  const { watchId, resource, pollUrl, firstSequence, lastSequence, lastAt, counts } = digest;
  const severities = new Set(
    Object.entries(WATCH_EVENTS).flatMap(([type, { severity }]) => (type in counts ? [severity] : [])),
  );
  return {
    type: 'delivery_digest',
    timestamp: new Date(lastAt).toISOString(),
    data: {
      watch_id: watchId,
      severity: WATCH_SEVERITIES.find((severity) => severities.has(severity)) ?? 'info',
      endpoint: cleanText(resource, TEXT_LIMITS.resource) ?? '',
      summary: describeDigest(counts),
      poll_url: pollUrl,
      first_sequence: firstSequence,
      last_sequence: lastSequence,
      ...toSenderNotice(pollUrl),
    },
  };
}

/** Describes the events of a digest in two sentences, most frequent type first. */
function describeDigest(counts: DeliveryDigest['counts']): string {
  const types = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  const total = types.reduce((sum, [, count]) => sum + count, 0);
  const list = types.map(([type, count]) => `${count} ${type}`).join(', ');
  return `${total} events of this watch could not be delivered singly, because this receiver gets at most ${MAX_DAILY_MESSAGES} messages in 24 hours, and at most ${MAX_DAILY_MESSAGES_PER_WATCH} from one watch: ${list}. The log of the watch has all events.`;
}
