import { formatTimestamp } from '@touchstone/common';
import { PURCHASE_FAILURES, type PurchaseOutcome } from '@touchstone/contract';
import { payOnSchema } from '@touchstone/trust';
import { z } from 'zod';
import { call, type Db } from '../client/client.ts';
import { createRowSchema, toRow } from '../client/rows.ts';
import { bigintSchema, timestampSchema } from '../client/values.ts';
import { exampleRequestSchema } from '../snapshots/snapshot.ts';

/** Limits of test purchases, in US dollars as decimal texts. */
export interface PurchaseBudget {
  /** Maximum price of one purchase. */
  readonly purchase: string;
  /** Maximum for one endpoint in 7 days. */
  readonly endpoint: string;
  /** Maximum for one UTC day. */
  readonly day: string;
  readonly total: string;
}

const candidateSchema = z.object({
  endpointId: z.string(),
  resource: z.string(),
  /** URL to request: the resource, or a URL template with example values. */
  url: z.string(),
  host: z.string(),
  method: z.string().nullable(),
  exampleRequest: exampleRequestSchema.nullable(),
  serviceName: z.string().nullable(),
  description: z.string().nullable(),
  payOn: z.array(payOnSchema),
  /** True if failed purchases are the reason to avoid the endpoint. */
  isDisputed: z.boolean(),
});
/** Endpoint that is due for a test purchase. All texts are claims of its provider. */
export type PurchaseCandidate = z.infer<typeof candidateSchema>;

/** Returns endpoints that are due for a test purchase, the most important first, and at most one of each host. */
export async function findPurchaseCandidates(
  db: Db,
  query: {
    /** CAIP-2 ids of the networks on which the wallet can pay. */
    readonly networks: readonly string[];
    readonly budget: PurchaseBudget;
    readonly now: number;
    readonly limit: number;
  },
): Promise<readonly PurchaseCandidate[]> {
  const args = { ...query, now: formatTimestamp(query.now) };
  return z.array(candidateSchema).parse(await call(db, 'purchase_candidates', args));
}

/** Sets the time from which on endpoints are considered again that were not bought. */
export async function postponePurchases(
  db: Db,
  { endpointIds, until }: { readonly endpointIds: readonly string[]; readonly until: number },
): Promise<void> {
  if (endpointIds.length === 0) return;
  await call(db, 'postpone_purchases', { endpointIds, until: formatTimestamp(until) });
}

/** Purchase before its payment is signed. Addresses are in lower case. */
export interface NewPurchase {
  /** `p_` and 26 characters. */
  readonly id: string;
  readonly endpointId: string;
  readonly resource: string;
  readonly host: string;
  readonly method: 'GET' | 'POST';
  readonly requestedUrl: string;
  /** SHA-256 of the request body in hex; null without a body. */
  readonly requestSha256: string | null;
  readonly network: string;
  readonly asset: string;
  readonly payer: string;
  readonly payTo: string;
  readonly amount: bigint;
  readonly amountUsd: string;
}

/**
 * Reserves the amount of a purchase in the budget, and the host until the purchase is decided.
 *
 * @param options.leaseUntil time until which only this worker works on the purchase, in milliseconds since the epoch
 * @returns `reserved`, or the limit that does not allow the purchase: `budget` for the limits of all endpoints,
 *   `endpoint` for the limit of the endpoint, `host` for another open purchase on the host
 */
export async function reservePurchase(
  db: Db,
  purchase: NewPurchase,
  {
    budget,
    now,
    leaseUntil,
  }: { readonly budget: PurchaseBudget; readonly now: number; readonly leaseUntil: number },
): Promise<'reserved' | 'budget' | 'endpoint' | 'host'> {
  const result = await call(db, 'reserve_purchase', {
    purchase: toRow({ ...purchase, amount: String(purchase.amount) }),
    budget,
    now: formatTimestamp(now),
    leaseUntil: formatTimestamp(leaseUntil),
  });
  return z.enum(['reserved', 'budget', 'endpoint', 'host']).parse(result);
}

/**
 * Records the signed payment of a purchase, before the payment is sent. Times are milliseconds since the epoch.
 *
 * @returns false if the lease has ended, so the payment must not be sent
 */
export function recordSignedPurchase(
  db: Db,
  {
    id,
    nonce,
    validBefore,
    now,
  }: { readonly id: string; readonly nonce: string; readonly validBefore: number; readonly now: number },
): Promise<boolean> {
  return call(db, 'record_signed_purchase', {
    ...{ id, nonce },
    validBefore: formatTimestamp(validBefore),
    now: formatTimestamp(now),
  });
}

const answerShape = {
  /** Null without a response. */
  httpStatus: z.number().nullable(),
  contentType: z.string().nullable(),
  bodyBytes: z.number().nullable(),
  /** SHA-256 of the body in hex. */
  bodySha256: z.string().nullable(),
  totalMs: z.number().nullable(),
  /** Reason why the response is missing or incomplete; null for a complete response. */
  failure: z.enum(PURCHASE_FAILURES).nullable(),
  /** Differences between the body and the declared output schema, as sentences; null without a schema. */
  schemaFindings: z.array(z.string()).readonly().nullable(),
};
/** Answer to a paid request. Its body is not kept. */
export type PurchaseAnswer = Readonly<z.infer<z.ZodObject<typeof answerShape>>>;

/** Records the answer to the paid request of a purchase. An answer is recorded once. */
export async function recordPurchaseAnswer(
  db: Db,
  { id, answer, now }: { readonly id: string; readonly answer: PurchaseAnswer; readonly now: number },
): Promise<void> {
  await call(db, 'record_purchase_answer', { id, answer, now: formatTimestamp(now) });
}

/** Outcome of a purchase, and its transfer on the chain. */
export interface PurchaseDecision {
  readonly outcome: PurchaseOutcome;
  /** True if the chain shows the transfer; false if it can never happen; null if the chain shows neither. */
  readonly charged: boolean | null;
  readonly transfer: { readonly transaction: string; readonly block: number; readonly at: number } | null;
}

/** Decides an open purchase. Returns false if the purchase was decided before. */
export function decidePurchase(
  db: Db,
  {
    id,
    decision: { transfer, ...decision },
    now,
  }: { readonly id: string; readonly decision: PurchaseDecision; readonly now: number },
): Promise<boolean> {
  const transferred = transfer && {
    ...{ transaction: transfer.transaction, block: transfer.block },
    settledAt: formatTimestamp(transfer.at),
  };
  return call(db, 'decide_purchase', {
    id,
    decision: { ...decision, ...transferred },
    now: formatTimestamp(now),
  });
}

const openPurchaseSchema = createRowSchema({
  id: z.string(),
  network: z.string(),
  asset: z.string(),
  payer: z.string(),
  payTo: z.string(),
  amount: bigintSchema,
  resource: z.string(),
  requestedUrl: z.string(),
  requestSha256: z.string().nullable(),
  reservedAt: timestampSchema,
  nonce: z.string().nullable(),
  validBefore: timestampSchema.nullable(),
  answeredAt: timestampSchema.nullable(),
  ...answerShape,
});
/** Purchase without an outcome. Times are milliseconds since the epoch. */
export type OpenPurchase = z.infer<typeof openPurchaseSchema>;

/** Leases open purchases whose lease has ended, oldest first, until `leaseUntil`. Times are milliseconds since the epoch. */
export async function claimOpenPurchases(
  db: Db,
  { now, leaseUntil, limit }: { readonly now: number; readonly leaseUntil: number; readonly limit: number },
): Promise<readonly OpenPurchase[]> {
  const args = { now: formatTimestamp(now), leaseUntil: formatTimestamp(leaseUntil), limit };
  return z.array(openPurchaseSchema).parse(await call(db, 'claim_open_purchases', args));
}

/** Publishes decided purchases that are due, and queues their endpoints for scoring. Returns the number of purchases. */
export function publishPurchases(
  db: Db,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<number> {
  return call(db, 'publish_purchases', { now: formatTimestamp(now), limit });
}

/**
 * Registers a wallet of this service, in lower case, so that its payments count as payments of no payer.
 *
 * @returns true if the wallet was not registered before
 */
export function registerOwnWallet(
  db: Db,
  { address, now }: { readonly address: string; readonly now: number },
): Promise<boolean> {
  return call(db, 'register_own_wallet', { address, now: formatTimestamp(now) });
}
