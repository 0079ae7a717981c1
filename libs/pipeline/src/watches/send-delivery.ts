import { MINUTE_MS } from '@touchstone/common';
import type { ClaimedDelivery, DeliveryAttempt } from '@touchstone/store';
import { toDisplayResource } from '@touchstone/trust';
import { deliver, toWatchEvent, type Cipher } from '@touchstone/watch';
import { formatEndpointPage } from '../search/search-context.ts';
import type { WatchContext } from './watch-context.ts';

/** External dependencies of one delivery. */
export interface DeliverySender extends Pick<WatchContext, 'send' | 'baseUrl' | 'now'> {
  readonly cipher: Cipher;
}

/** Delay before a message is tried again that could not be sent because of missing keys: five minutes. */
const UNREADABLE_RETRY_MS = 5 * MINUTE_MS;

/**
 * Decrypts a claimed destination and sends its message. Never rejects: if the destination cannot be decrypted, or its
 * log entry cannot be formatted, the attempt is a failure of this service. It delays only this destination.
 */
export async function sendDelivery(
  sender: DeliverySender,
  claimed: ClaimedDelivery,
): Promise<{ readonly attempt: DeliveryAttempt; readonly isUnreadable: boolean }> {
  const { destinationId, entries } = claimed;
  const sequences = entries.map(({ sequence }) => sequence);
  const at = sender.now();
  try {
    const result = await send(sender, claimed);
    return { attempt: { ...result, destinationId, sequences }, isUnreadable: false };
  } catch {
    // The error is not recorded, because it may contain a part of the URL.
    const attempt = {
      ...{ destinationId, sequences, at, durationMs: 0, phase: null, httpStatus: null, reply: null },
      error: 'This service could not read the destination or the event. No request was sent.',
      outcome: 'self-failure' as const,
      nextAttemptAt: at + UNREADABLE_RETRY_MS,
    };
    return { attempt, isUnreadable: true };
  }
}

async function send(
  { cipher, send: sendRequest, baseUrl, now }: DeliverySender,
  { watchId, resource, slug, channel, attempt, entries, ...encrypted }: ClaimedDelivery,
) {
  const [url, signingKey] = await Promise.all([
    cipher.decrypt(encrypted.url),
    cipher.decrypt(encrypted.signingKey),
  ]);
  const endpoint = {
    watchId,
    resource: toDisplayResource(resource),
    endpointPage: formatEndpointPage(slug, baseUrl),
  };
  const events = entries.map((entry) => toWatchEvent(entry, endpoint));
  return deliver(sendRequest, {
    ...{ channel, url, signingKey, events, watchId, attempt, now },
    random: Math.random,
  });
}
