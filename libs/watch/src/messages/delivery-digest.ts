import {
  MAX_DAILY_MESSAGES,
  TEXT_LIMITS,
  WATCH_EVENTS,
  WATCH_SEVERITIES,
  type WebhookMessage,
} from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import type { LogEntry } from '../events/log-entry.ts';
import { toSenderNotice } from './sender-notice.ts';

/** Events of one watch that were not sent, because their receiver had its maximum of messages. */
export interface DeliveryDigest {
  readonly watchId: string;
  /** URL of the watched endpoint, as shown to people. */
  readonly resource: string;
  /** URL at which the owner of the watch reads the events. */
  readonly pollUrl: string;
  /** The events that were not sent, oldest first; at least one. */
  readonly entries: readonly Pick<LogEntry, 'sequence' | 'type' | 'at'>[];
}

/** Webhook message with the digest. */
type DigestMessage = Extract<WebhookMessage, { readonly type: 'delivery_digest' }>;

/**
 * Returns the webhook message of a digest.
 *
 * @throws TypeError if the digest has no entry
 */
export function toDigestMessage({ watchId, resource, pollUrl, entries }: DeliveryDigest): DigestMessage {
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined)
    throw new TypeError('A digest needs at least one entry; it has none.');
  const counts: DigestMessage['data']['counts'] = {};
  for (const { type } of entries) counts[type] = (counts[type] ?? 0) + 1;
  const severities = new Set(entries.map(({ type }) => WATCH_EVENTS[type].severity));
  return {
    type: 'delivery_digest',
    timestamp: new Date(last.at).toISOString(),
    data: {
      watch_id: watchId,
      severity: WATCH_SEVERITIES.find((severity) => severities.has(severity)) ?? 'info',
      endpoint: cleanText(resource, TEXT_LIMITS.resource) ?? '',
      summary: describeDigest(entries.length, counts),
      poll_url: pollUrl,
      first_sequence: first.sequence,
      last_sequence: last.sequence,
      counts,
      ...toSenderNotice(pollUrl),
    },
  };
}

/** Describes the events that were not sent in two sentences, most frequent type first. */
function describeDigest(total: number, counts: DigestMessage['data']['counts']): string {
  const types = Object.entries(counts)
    .toSorted(([, one], [, other]) => other - one)
    .map(([type, count]) => `${count} ${type}`);
  const events = total === 1 ? '1 event of this watch was' : `${total} events of this watch were`;
  return `${events} not sent, because this receiver gets at most ${MAX_DAILY_MESSAGES} messages in 24 hours: ${types.join(', ')}. The log of the watch has all events.`;
}
