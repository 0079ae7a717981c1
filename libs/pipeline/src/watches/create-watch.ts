import { DAY_MS } from '@touchstone/common';
import {
  WATCH_DAYS,
  type WatchCreated,
  type WatchCreateRequest,
  type WatchEventType,
} from '@touchstone/contract';
import type { Buyer } from '@touchstone/payment';
import { createWatch as storeWatch, type WatchTarget } from '@touchstone/store';
import { createWatchSecret, type Cipher, type WatchSecret } from '@touchstone/watch';
import { connectDestinations, toChats, toWebhooks, type Connected } from './connect-destinations.ts';
import { createNextSteps } from './next-steps.ts';
import { formatTime, toWatchedEndpoint, toWatchLinks } from './to-watch.ts';
import { WITHOUT_CIPHER, type WatchContext, type WatchResult } from './watch-context.ts';
import { findTarget, selectEvents } from './watch-target.ts';

/**
 * Creates a watch that becomes active when the payment is settled. The response contains its secret, which is not
 * stored. The endpoint is checked first and the delivery URLs last, so that an invalid request sends no test message.
 *
 * Repeating it for the same payment replaces the watch, because the response of the first run was lost.
 *
 * @throws Error when the database fails, the endpoint was removed, or another request took over the payment. The request
 * must not be charged then.
 */
export async function createWatch(
  context: WatchContext,
  request: WatchCreateRequest,
  buyer: Buyer,
): Promise<WatchResult<WatchCreated>> {
  const target = await findTarget(context, request.endpoint);
  if ('kind' in target) return target;
  const events = selectEvents(request.events, target);
  if ('kind' in events) return events;
  const { cipher } = context;
  if (cipher === null) return WITHOUT_CIPHER;
  const secret = createWatchSecret();
  const urls = [...toWebhooks(request.webhookUrls), ...toChats(request.chatUrls)];
  const requester = { kind: 'payer', payer: buyer.payer } as const;
  const tested = { watchId: secret.id, resource: target.resource, signingKey: secret.signingKey, requester };
  const connected = await connectDestinations({ ...context, cipher }, tested, urls);
  if (connected.kind === 'problem') return connected;
  const created = { request, target, events, secret, connected, now: context.now() };
  await store({ db: context.db, cipher }, created, buyer);
  return { kind: 'result', body: toCreated(created, context.baseUrl) };
}

interface Created {
  readonly request: WatchCreateRequest;
  readonly target: WatchTarget;
  /** Requested event types that the watch can report. */
  readonly events: readonly WatchEventType[];
  readonly secret: WatchSecret;
  readonly connected: Connected;
  /** Time of the creation in milliseconds since the epoch. */
  readonly now: number;
}

function toExpiry({ now }: Pick<Created, 'now'>): number {
  return now + WATCH_DAYS * DAY_MS;
}

async function store(
  { db, cipher }: Pick<WatchContext, 'db'> & { readonly cipher: Cipher },
  created: Created,
  buyer: Buyer,
): Promise<void> {
  const { request, target, events, secret, connected, now } = created;
  const isStored = await storeWatch(db, {
    id: secret.id,
    endpointId: target.endpointId,
    secretHash: secret.secretHash,
    signingKey: await cipher.encrypt(secret.signingKey),
    events,
    livenessSensitivityN: request.livenessSensitivityN,
    destinations: connected.destinations,
    payment: buyer,
    now,
    expiresAt: toExpiry(created),
  });
  if (!isStored)
    throw new Error('the endpoint of a watch was removed, or another request took over the payment');
}

function toCreated(created: Created, baseUrl: string): WatchCreated {
  const { request, target, events, secret, connected } = created;
  const links = toWatchLinks(secret.id, baseUrl);
  const expiresAt = formatTime(toExpiry(created));
  const hasWebhooks = request.webhookUrls.length > 0;
  return {
    watch_id: secret.id,
    secret: secret.secret,
    webhook_secret: secret.webhookSecret,
    ...links,
    ...toWatchedEndpoint(target, baseUrl),
    events: [...events],
    liveness_sensitivity_n: request.livenessSensitivityN,
    expires_at: expiresAt,
    delivery: { connection_test: [...connected.tests] },
    next_steps: createNextSteps({ target, links, expiresAt, hasWebhooks }),
  };
}
