import { formatTimestamp } from '@touchstone/common';
import { WATCH_CHANNELS, WATCH_EVENT_TYPES, WATCH_STATUSES } from '@touchstone/contract';
import type { WatchChannel, WatchEventType } from '@touchstone/contract';
import { z } from 'zod';
import { call, unwrap, type Db } from '../client/client.ts';
import { timestampSchema } from '../client/values.ts';
import type { PaymentKey } from '../payments/payments.ts';

const targetSchema = z.object({
  endpointId: z.string(),
  slug: z.string(),
  resource: z.string(),
  templated: z.boolean(),
  isProbed: z.boolean(),
});

/**
 * Endpoint that a watch observes. `isProbed` is false for a URL template without example values: its listing is
 * observed, but it has no probes.
 */
export type WatchTarget = z.infer<typeof targetSchema>;

const destinationSchema = z.object({
  id: z.number(),
  channel: z.enum(WATCH_CHANNELS),
  url: z.string(),
  label: z.string(),
  createdAt: timestampSchema,
  disabledAt: timestampSchema.nullable(),
  disabledReason: z.enum(['gone', 'failing', 'refused']).nullable(),
  failingSince: timestampSchema.nullable(),
  pending: z.number(),
  lastAttempt: z
    .object({
      at: timestampSchema,
      httpStatus: z.number().nullable(),
      error: z.string().nullable(),
      outcome: z.enum(['delivered', 'failed']),
    })
    .nullable(),
});

const watchSchema = targetSchema.extend({
  id: z.string(),
  status: z.enum(WATCH_STATUSES),
  secretHash: z.string(),
  signingKey: z.string(),
  events: z.array(z.enum(WATCH_EVENT_TYPES)),
  livenessSensitivityN: z.number(),
  createdAt: timestampSchema,
  activatedAt: timestampSchema.nullable(),
  expiresAt: timestampSchema,
  cancelledAt: timestampSchema.nullable(),
  downSince: timestampSchema.nullable(),
  lastSequence: z.number(),
  destinations: z.array(destinationSchema),
});

/**
 * Stored watch with its endpoint and its destinations; removed destinations are left out. Times are milliseconds since
 * the epoch. `signingKey` and the `url` of each destination are encrypted. `pending` is the number of undelivered log
 * entries of a destination.
 */
export type StoredWatch = z.infer<typeof watchSchema>;

/**
 * Destination of deliveries. `url` is encrypted; `label` is its public form. Messages are limited for each `receiver`.
 */
export interface NewDestination {
  readonly channel: WatchChannel;
  readonly url: string;
  readonly label: string;
  readonly receiver: string;
}

/** Destination after an edit: a kept destination by its id, or a new destination. */
export type DestinationEdit = { readonly id: number } | NewDestination;

/**
 * Payment that buys a watch or a renewal. With `owner`, the call is refused when another request has taken over the
 * payment in the meantime.
 */
export type WatchPayment = PaymentKey & { readonly owner?: string };

export interface NewWatch {
  readonly id: string;
  readonly endpointId: string;
  readonly secretHash: string;
  /** Encrypted. */
  readonly signingKey: string;
  readonly events: readonly WatchEventType[];
  readonly livenessSensitivityN: number;
  readonly destinations: readonly NewDestination[];
  readonly payment: WatchPayment;
  /** Milliseconds since the epoch, like `expiresAt`. */
  readonly now: number;
  readonly expiresAt: number;
}

/** Returns the endpoint with a canonical URL; null if it is unknown or was removed from public view. */
export async function findWatchTarget(db: Db, resource: string): Promise<WatchTarget | null> {
  return targetSchema.nullable().parse(await call(db, 'find_watch_target', { resource }));
}

/**
 * Creates a pending watch. The settlement of its payment activates the watch. A repeated call for the same payment
 * replaces the pending watch.
 * @returns False if the endpoint was deleted from the catalog, or if another request has taken over the payment.
 */
export async function createWatch(db: Db, watch: NewWatch): Promise<boolean> {
  const { payment, now, expiresAt, ...rest } = watch;
  const stored = { ...rest, expiresAt: formatTimestamp(expiresAt) };
  return call(db, 'create_watch', { watch: stored, payment, now: formatTimestamp(now) });
}

/**
 * Returns the hash that authenticates the owner of a watch; null if the watch is unknown. The lookup by primary key
 * takes the same time for every watch.
 */
export async function findWatchSecretHash(db: Db, id: string): Promise<string | null> {
  const response = await db.from('watches').select('secret_hash').eq('id', id);
  return unwrap('find the secret hash of a watch', response)[0]?.secret_hash ?? null;
}

/** Returns a watch; null if it is unknown or was deleted. */
export async function findWatch(db: Db, id: string): Promise<StoredWatch | null> {
  return watchSchema.nullable().parse(await call(db, 'find_watch', { id }));
}

export interface WatchEdit {
  readonly id: string;
  readonly events?: readonly WatchEventType[];
  readonly livenessSensitivityN?: number;
  /** All webhooks after the edit. Destinations that are left out are removed with their pending deliveries. */
  readonly webhooks?: readonly DestinationEdit[];
  /** All chats after the edit, like `webhooks`. */
  readonly chats?: readonly DestinationEdit[];
  /** Names of the changed members, for the log. Without a name, nothing is logged. */
  readonly changed: readonly string[];
  readonly now: number;
}

/**
 * Edits a watch; members that are left out stay unchanged.
 * @returns False if the watch is unknown, pending or cancelled.
 */
export async function editWatch(db: Db, edit: WatchEdit): Promise<boolean> {
  const { id, changed, now, ...members } = edit;
  return call(db, 'edit_watch', { id, edit: members, changed, now: formatTimestamp(now) });
}

/** Cancels a watch that is active or expired. Other watches stay unchanged, so the call can be repeated. */
export async function cancelWatch(
  db: Db,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<void> {
  await call(db, 'cancel_watch', { id, now: formatTimestamp(now) });
}

const renewalSchema = z.enum(['created', 'not-found', 'not-renewable', 'superseded']);

/**
 * Stores the renewal of a watch. The settlement of its payment extends the watch to 30 days after `now` or after its
 * end, whichever is later. An expired watch is renewable for seven days. A cancelled watch is not renewable.
 * @returns `superseded` if another request has taken over the payment
 */
export async function createRenewal(
  db: Db,
  { now, ...renewal }: { readonly id: string; readonly payment: WatchPayment; readonly now: number },
): Promise<z.infer<typeof renewalSchema>> {
  return renewalSchema.parse(await call(db, 'create_renewal', { ...renewal, now: formatTimestamp(now) }));
}

const appliedPurchaseSchema = z.object({
  watchId: z.string(),
  status: z.enum(['active', 'cancelled']),
  expiresAt: timestampSchema,
});

/**
 * Watch as the settlement of a purchase left it. A renewal leaves a cancelled watch unchanged. `expiresAt` is in
 * milliseconds since the epoch.
 */
type AppliedPurchase = z.infer<typeof appliedPurchaseSchema>;

/** Returns the applied purchase of a settled payment; null if the payment has no applied purchase of a watch. */
export async function findAppliedPurchase(
  db: Db,
  { network, asset, payer, nonce }: PaymentKey,
): Promise<AppliedPurchase | null> {
  const found = await call(db, 'find_applied_purchase', { network, asset, payer, nonce });
  return appliedPurchaseSchema.nullable().parse(found);
}
