import { DAY_MS, formatTimestamp } from '@touchstone/common';
import {
  WATCH_DAYS,
  WATCH_RENEWAL_GRACE_DAYS,
  type WatchCreated,
  type WatchCreateRequest,
  type WatchEventType,
  type WatchRenewed,
} from '@touchstone/contract';
import type { Buyer, WorkContext } from '@touchstone/payment';
import {
  createRenewal,
  createWatch as storeWatch,
  findAppliedPurchase,
  findWatch,
  type PaymentKey,
  type WatchTarget,
} from '@touchstone/store';
import { createWatchSecret, type Cipher, type WatchSecret } from '@touchstone/watch';
import { connectDestinations, toChats, toWebhooks, type Connected } from './connect-destinations.ts';
import { toWatchedEndpoint, toWatchLinks, type WatchLinks } from './to-watch.ts';
import { createOperationProblem } from '../problem.ts';
import { WITHOUT_CIPHER, type WatchContext, type WatchResult } from './watch-context.ts';
import { findTarget, selectEvents } from './watch-target.ts';

/**
 * Creates a watch that becomes active when the payment is settled. The response contains the secret of the watch, and
 * this secret is not stored. The endpoint is checked first and the delivery URLs last, so that an invalid request sends
 * no test message.
 *
 * A second call for the same payment replaces the watch, because the response of the first call was lost.
 *
 * @throws Error when the database fails, the endpoint was removed, or another request took over the payment. The
 * request must not be charged then.
 */
export async function createWatch(
  context: WatchContext,
  request: WatchCreateRequest,
  { buyer, client }: WorkContext & { readonly buyer: Buyer },
): Promise<WatchResult<WatchCreated>> {
  const target = await findTarget(context, request.endpoint);
  if ('kind' in target) return target;
  const events = selectEvents(request.events, target);
  if ('kind' in events) return events;
  const { cipher } = context;
  if (cipher === null) return WITHOUT_CIPHER;
  const secret = createWatchSecret();
  const urls = [...toWebhooks(request.webhookUrls), ...toChats(request.chatUrls)];
  const requester = { kind: 'payer', id: buyer.payer, client } as const;
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
  const expiresAt = formatTimestamp(toExpiry(created));
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
    next_steps: createNextSteps(created, links, expiresAt),
  };
}

/** Returns the steps that follow the creation of a watch, each as one or two sentences. */
function createNextSteps({ request, target }: Created, links: WatchLinks, expiresAt: string): string[] {
  return [
    'Store secret now. It is shown once and cannot be read again.',
    `Read the events: GET ${links.poll_url} with the header Authorization: Bearer <secret>. Then repeat it with ?since=<next_cursor>.`,
    ...(request.webhookUrls.length > 0
      ? [
          'Verify each webhook with webhook_secret and a Standard Webhooks library, or compare x-signature with the HMAC-SHA256 of the body. Ignore a webhook-id that you have processed.',
        ]
      : []),
    `Edit or cancel the watch: PATCH or DELETE ${links.edit_url} with the same header. Both are free.`,
    `Renew it until ${WATCH_RENEWAL_GRACE_DAYS} days after ${expiresAt}: POST ${links.renew_url} with a payment. The secret stays the same.`,
    ...(target.templated
      ? [
          'This endpoint is a URL template, and its items may differ in price and payTo. The watch reports no payto_change and no price_change.',
        ]
      : []),
  ];
}

const NOT_FOUND = createOperationProblem(
  'watch-not-found',
  'No watch has this id. Use the renew_url from the creation of the watch.',
);
const NOT_RENEWABLE = createOperationProblem(
  'watch-not-renewable',
  `The watch was cancelled, or it ended more than ${WATCH_RENEWAL_GRACE_DAYS} days ago. Create a new watch (POST /v1/watch-endpoint-30d).`,
);

/**
 * Prepares a renewal by 30 days. The renewal takes effect when the payment is settled, and `readRenewed` then reads the
 * response. A renewal needs no secret, and the response contains none, so anyone who knows the id of the watch can pay
 * for a renewal.
 *
 * @throws Error when the database fails, or another request took over the payment. The request must not be charged
 * then.
 */
export async function renewWatch(
  { db, now }: Pick<WatchContext, 'db' | 'now'>,
  { id }: { readonly id: string },
  buyer: Buyer,
): Promise<WatchResult<Pick<WatchRenewed, 'watch_id'>>> {
  const renewal = await createRenewal(db, { id, payment: buyer, now: now() });
  if (renewal === 'superseded') throw new Error('another request took over the payment of a renewal');
  if (renewal !== 'created') return renewal === 'not-found' ? NOT_FOUND : NOT_RENEWABLE;
  return { kind: 'result', body: { watch_id: id } };
}

/**
 * Reads the watch as the settlement of a renewal left it. Renewals that are settled at the same time each have their own
 * end. If the owner cancelled the watch before the settlement was recorded, the watch is cancelled.
 *
 * @throws Error when the database fails, the settlement is not recorded, or the watch was deleted
 */
export async function readRenewed(
  { db, baseUrl }: Pick<WatchContext, 'db' | 'baseUrl'>,
  payment: PaymentKey,
): Promise<WatchRenewed> {
  const applied = await findAppliedPurchase(db, payment);
  const watch = applied && (await findWatch(db, applied.watchId));
  if (!watch) throw new Error('a renewal is not applied, or its watch was deleted');
  return {
    watch_id: watch.id,
    status: applied.status,
    ...toWatchedEndpoint(watch, baseUrl),
    expires_at: formatTimestamp(applied.expiresAt),
    ...toWatchLinks(watch.id, baseUrl),
  };
}
