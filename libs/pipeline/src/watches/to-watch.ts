import { formatTimestamp, formatTimestampOrNull } from '@touchstone/common';
import type { Watch } from '@touchstone/contract';
import type { StoredWatch } from '@touchstone/store';
import { toDisplayResource } from '@touchstone/trust';
import { formatEndpointPage } from '../pages.ts';

/** URLs at which a watch is read, renewed, edited and cancelled. */
export type WatchLinks = Pick<Watch, 'poll_url' | 'renew_url' | 'edit_url' | 'cancel_url'>;

/** Returns the URLs of a watch. */
export function toWatchLinks(id: string, baseUrl: string): WatchLinks {
  const url = new URL(`/v1/watch/${id}`, baseUrl).href;
  return { poll_url: `${url}/events`, renew_url: `${url}/renew`, edit_url: url, cancel_url: url };
}

/** Returns the URL of a watched endpoint and the URL of its page. */
export function toWatchedEndpoint(
  { resource, slug }: Pick<StoredWatch, 'resource' | 'slug'>,
  baseUrl: string,
): Pick<Watch, 'endpoint' | 'endpoint_page'> {
  return { endpoint: toDisplayResource(resource), endpoint_page: formatEndpointPage(slug, baseUrl) };
}

/**
 * Converts a stored watch to the watch object of the API. The watch object contains no secret and no complete delivery
 * URL.
 */
export function toWatch(watch: StoredWatch, baseUrl: string): Watch {
  const { id, destinations } = watch;
  const webhooks = destinations.filter(({ channel }) => channel === 'webhook');
  const chats = destinations.filter(({ channel }) => channel !== 'webhook');
  return {
    watch_id: id,
    status: watch.status,
    ...toWatchedEndpoint(watch, baseUrl),
    events: [...watch.events],
    liveness_sensitivity_n: watch.livenessSensitivityN,
    created_at: formatTimestamp(watch.createdAt),
    expires_at: formatTimestamp(watch.expiresAt),
    cancelled_at: formatTimestampOrNull(watch.cancelledAt),
    ...toWatchLinks(id, baseUrl),
    delivery: { webhooks: webhooks.map(toDestination), chats: chats.map(toDestination) },
  };
}

type StoredDestination = StoredWatch['destinations'][number];
type Destination = Watch['delivery']['webhooks'][number];

function toDestination(destination: StoredDestination): Destination {
  const { channel, label, disabledReason, failingSince, pending, lastAttempt } = destination;
  return {
    channel,
    url: label,
    status: toStatus(destination),
    disabled_reason: disabledReason,
    failing_since: formatTimestampOrNull(failingSince),
    pending_events: pending,
    last_attempt:
      lastAttempt === null
        ? null
        : {
            at: formatTimestamp(lastAttempt.at),
            http_status: lastAttempt.httpStatus,
            ok: lastAttempt.outcome === 'delivered',
            error: lastAttempt.error,
          },
  };
}

function toStatus({ disabledAt, failingSince }: StoredDestination): Destination['status'] {
  if (disabledAt !== null) return 'disabled';
  return failingSince === null ? 'active' : 'failing';
}
