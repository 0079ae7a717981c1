import { createHash, randomBytes } from 'node:crypto';
import { canonicalize } from '@touchstone/catalog';
import { WATCH_EVENT_TYPES, type WatchCreated, type WatchCreateRequest } from '@touchstone/contract';
import type { Buyer, WorkContext } from '@touchstone/payment';
import { claimPayment, settlePayment, storePaymentResult } from '@touchstone/store';
import { createCipher } from '@touchstone/watch';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { PipelineContext } from '../context.ts';
import { createWatch } from '../watches/buy-watch.ts';
import { createTestPauses } from '../watches/request-limits.ts';
import type { WatchContext } from '../watches/watch-context.ts';
import { startReceivers, type Receivers } from './receivers.ts';
import { toLazy, useWorld, type UseWorldOptions, type World } from './world.ts';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const WALLET = `0x${'1'.repeat(40)}`;

/** Base URL of the service in tests. */
export const BASE_URL = 'https://touchstone.example';

/** Creates a random key of the cipher. */
export function createWatchKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Test world with receivers of the messages of watches, and contexts for the operations and jobs. */
export interface WatchWorld extends World {
  readonly receivers: Receivers;
  readonly watchContext: WatchContext;
  readonly jobContext: PipelineContext;
}

/** Opens a world with receivers and a cipher for all tests of a file, see `useWorld`. */
export function useWatchWorld(options: UseWorldOptions = {}): WatchWorld {
  const world = useWorld(options);
  let receivers: Receivers;
  const cipher = createCipher([createWatchKey()]);
  beforeAll(async () => {
    receivers = await startReceivers();
  });
  let testPauses: WatchContext['testPauses'];
  beforeEach(() => {
    testPauses = createTestPauses(() => world.context.now());
    if (options.isShared === true) return;
    receivers.messages.length = 0;
    receivers.handlers.clear();
    receivers.files.clear();
    receivers.fileReads.length = 0;
  });
  afterAll(() => receivers.close());
  return toLazy(() => {
    const { db, now } = world.context;
    const watches = { cipher, send: receivers.send, baseUrl: BASE_URL };
    const contexts = {
      watchContext: { ...watches, db, now, testPauses },
      jobContext: { ...world.context, watches },
    };
    return new Proxy(Object.assign(contexts, { receivers }) as WatchWorld, {
      get: (own, name) => Reflect.get(name in own ? own : world, name) as unknown,
      set: (_, name, value) => Reflect.set(world, name, value),
    });
  });
}

/** Creates a buyer: the key of a payment that no other test uses, and an owner of the lease of this payment. */
export function createBuyer(): Buyer {
  return {
    network: 'eip155:8453',
    asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    payer: `0x${randomBytes(20).toString('hex')}`,
    nonce: `0x${randomBytes(32).toString('hex')}`,
    owner: 'test',
  };
}

const LEASE_SECONDS = 30;
const ROUTES = { create: 'POST /v1/watch-endpoint-30d', renew: 'POST /v1/watch/{id}/renew' } as const;

/** Creates the purchase of a buyer, as a seller passes it to its work. */
export function createPurchase(buyer = createBuyer()): WorkContext & { readonly buyer: Buyer } {
  return { buyer, client: 'client' };
}

/** Stores a payment whose work is in progress, as a seller does. `buyer.owner` holds the lease of the payment. */
export async function claimPurchase(
  { db, now: readTime }: Pick<WatchContext, 'db' | 'now'>,
  buyer: Buyer,
  kind: keyof typeof ROUTES = 'create',
): Promise<void> {
  const now = readTime();
  const request = { route: ROUTES[kind], requestHash: '', paymentHash: '', secretHash: null, resource: '' };
  const terms = { payTo: buyer.payer, amount: 200_000n, validBefore: now + 60_000 };
  await claimPayment(db, { ...buyer, ...request, ...terms }, { now, leaseSeconds: LEASE_SECONDS });
}

/**
 * Stores a settled payment, as a seller does. If the payment is for a watch or a renewal, the database then applies
 * this purchase.
 */
export async function settlePurchase(
  context: Pick<WatchContext, 'db' | 'now'>,
  buyer: Buyer,
  kind: keyof typeof ROUTES = 'create',
): Promise<void> {
  const { db } = context;
  const now = context.now();
  await claimPurchase(context, buyer, kind);
  await storePaymentResult(db, buyer, { now, leaseSeconds: LEASE_SECONDS, result: '{}' });
  await settlePayment(db, buyer, { transaction: '0x', receipt: '', audited: false, now });
}

/** Request for a watch of all events, with the delivery URLs of the given receivers. */
export function toCreateRequest(
  endpoint: string,
  {
    webhooks = [],
    chats = [],
    ...change
  }: Partial<WatchCreateRequest> & {
    readonly webhooks?: readonly string[];
    readonly chats?: readonly string[];
  } = {},
): WatchCreateRequest {
  return {
    endpoint,
    events: WATCH_EVENT_TYPES,
    livenessSensitivityN: 2,
    webhookUrls: webhooks.map((url, at) => ({ url, path: `delivery.webhook_urls.${at}` })),
    chatUrls: chats.map((url, at) => ({ url, path: `delivery.slack_urls.${at}` })),
    ...change,
  };
}

/** Creates an active watch. No chain is needed, because the payment is only stored as settled. */
export async function createActiveWatch(
  context: WatchContext,
  ...request: Parameters<typeof toCreateRequest>
): Promise<WatchCreated> {
  const buyer = createBuyer();
  const created = await createWatch(context, toCreateRequest(...request), createPurchase(buyer));
  if (created.kind === 'problem') throw new Error(`${created.code}: ${created.detail}`);
  await settlePurchase(context, buyer);
  return created.body;
}

/** Returns the texts by which someone could use a watch or sign its messages. */
export function toSecrets({ secret, webhook_secret: webhookSecret }: WatchCreated): readonly string[] {
  const signingKey = createHash('sha256').update(secret).digest('hex');
  return [secret.replace('wsk_', ''), signingKey, webhookSecret.replace('whsec_', '')];
}

/**
 * Stores price changes of an endpoint, one second apart. For each change, the database appends an alert to the watches.
 */
export async function storeChanges(
  { db, now }: Pick<WatchContext, 'db' | 'now'>,
  resource: string,
  count: number,
): Promise<void> {
  const canonical = canonicalize(resource);
  if (!canonical.ok) throw new Error(canonical.reason);
  const rows = Array.from({ length: count }, (_, index) => ({
    endpoint_id: canonical.id,
    at: new Date(now() + index * 1000).toISOString(),
    kind: 'price_change',
    before: createTerms(index),
    after: createTerms(index + 1),
  }));
  const { error } = await db.from('changes').insert(rows);
  if (error) throw new Error(error.message);
}

function createTerms(amount: number) {
  const option = {
    scheme: 'exact',
    network: 'eip155:8453',
    asset: USDC,
    amount: String(amount),
    payTo: WALLET,
  };
  return { version: 2, options: [option] };
}
