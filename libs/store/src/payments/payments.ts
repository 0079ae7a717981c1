import { DAY_MS } from '@touchstone/common';
import { z } from 'zod';
import { unwrap, type Db } from '../client/client.ts';
import { toJson } from '../client/json.ts';
import { formatTimestamp, timestampSchema } from '../client/timestamps.ts';

/** Key of a payment: the nonce of an EIP-3009 authorization. All values are lower case. */
export interface PaymentKey {
  /** CAIP-2 id. */
  readonly network: string;
  readonly asset: string;
  readonly payer: string;
  readonly nonce: string;
}

/** A payment and the request that it is presented with. */
export interface PaymentClaim extends PaymentKey {
  /** The operation, such as `POST /v1/x402-trust`. */
  readonly route: string;
  /** SHA-256 of the operation and its input. */
  readonly requestHash: string;
  /** SHA-256 of the signed data and its signature. */
  readonly paymentHash: string;
  /** SHA-256 of the secret of the challenge; null if the client left it out. */
  readonly secretHash: string | null;
  /** Resource that is bought. */
  readonly resource: string;
  readonly payTo: string;
  /** Atomic units. */
  readonly amount: bigint;
  /** Milliseconds since the epoch; from this time on the payment cannot be settled. */
  readonly validBefore: number;
  /** Unique name of the request that claims the payment. */
  readonly owner: string;
}

const amountSchema = z
  .union([z.number(), z.string()])
  .transform((value) => z.string().regex(/^\d+$/).parse(String(value)))
  .transform((text) => BigInt(text));

const paymentSchema = z
  .object({
    network: z.string(),
    asset: z.string(),
    payer: z.string(),
    nonce: z.string(),
    route: z.string(),
    request_hash: z.string(),
    payment_hash: z.string(),
    secret_hash: z.string().nullable(),
    resource: z.string(),
    pay_to: z.string(),
    amount: amountSchema,
    valid_before: timestampSchema,
    state: z.enum(['working', 'settling', 'settled', 'failed', 'disputed']),
    lease_until: timestampSchema,
    result: z.string().nullable(),
    receipt: z.string().nullable(),
    transaction: z.string().nullable(),
    created_at: timestampSchema,
    settled_at: timestampSchema.nullable(),
  })
  .transform(({ request_hash: requestHash, payment_hash: paymentHash, pay_to: payTo, ...row }) => {
    const { valid_before: validBefore, lease_until: leaseUntil, secret_hash: secretHash, ...rest } = row;
    const { created_at: createdAt, settled_at: settledAt, ...payment } = rest;
    const hashes = { requestHash, paymentHash, secretHash };
    return { ...payment, ...hashes, payTo, validBefore, leaseUntil, createdAt, settledAt };
  });

/**
 * State of a payment. `working`: the work is in progress. `settling`: the result is stored, and it is not known yet
 * whether money moved. `settled`: money moved. `failed`: it was not and cannot be settled. `disputed`: a facilitator
 * reported the settlement, but the chain shows no transfer. Times are milliseconds since the epoch.
 */
export type Payment = z.infer<typeof paymentSchema>;

const claimedSchema = z
  .object({
    outcome: z.enum(['claimed', 'resumed', 'busy', 'other', 'settled', 'limited']),
    result: z.string().nullable(),
    receipt: z.string().nullable(),
    settled_at: timestampSchema.nullable(),
    attempt: z.number(),
    retry_at: timestampSchema.nullable(),
    open_payments: z.array(z.object({ nonce: z.string(), amount: amountSchema })),
  })
  .transform(({ settled_at: settledAt, retry_at: retryAt, open_payments: openPayments, ...row }) => ({
    ...row,
    settledAt,
    retryAt,
    openPayments,
  }));

/**
 * Result of claiming a payment. `claimed`: the caller does the work. `resumed`: the work is done, and the caller settles
 * again (number `attempt`). `busy`: another request serves it. `other`: it was first presented with another request, or
 * differs from that payment. `settled`: it bought the result, which is null once it is deleted. `limited`: its payer had
 * too many refused settlements, and may try again at `retryAt`. `openPayments` are the payer's other open payments after
 * `claimed`, which may draw on the same balance. Times are milliseconds since the epoch.
 */
export type ClaimedPayment = z.infer<typeof claimedSchema>;

/** Maximum number of refused settlements of one payer within an hour, if none was settled since. */
const MAX_REFUSALS = 3;

const toKeyParameters = ({ network, asset, payer, nonce }: PaymentKey) => ({
  p_network: network,
  p_asset: asset,
  p_payer: payer,
  p_nonce: nonce,
});

/** Returns a payment; null if it was never presented. */
export async function findPayment(db: Db, key: PaymentKey): Promise<Payment | null> {
  const rows = unwrap('find a payment', await db.rpc('find_payment', toKeyParameters(key)));
  return z.array(paymentSchema).parse(rows)[0] ?? null;
}

/** Claims a payment for a request, so that no other request serves it for `leaseSeconds`. */
export async function claimPayment(
  db: Db,
  claim: PaymentClaim,
  { now, leaseSeconds }: { readonly now: number; readonly leaseSeconds: number },
): Promise<ClaimedPayment> {
  const { amount, validBefore, ...rest } = claim;
  const response = await db.rpc('claim_payment', {
    p_payment: toJson({ ...rest, amount: amount.toString(), validBefore: formatTimestamp(validBefore) }),
    p_now: formatTimestamp(now),
    p_lease_seconds: leaseSeconds,
    p_max_refusals: MAX_REFUSALS,
  });
  return z.tuple([claimedSchema]).parse(unwrap('claim a payment', response))[0];
}

/**
 * Stores the result of the work before the settlement.
 * @returns False if another request has taken over the payment; then the caller must not settle it.
 */
export async function storePaymentResult(
  db: Db,
  key: PaymentKey & { readonly owner: string },
  stored: { readonly result: string; readonly now: number; readonly leaseSeconds: number },
): Promise<boolean> {
  const response = await db.rpc('store_payment_result', {
    ...toKeyParameters(key),
    p_owner: key.owner,
    p_result: stored.result,
    p_now: formatTimestamp(stored.now),
    p_lease_seconds: stored.leaseSeconds,
  });
  return unwrap('store the result of a payment', response);
}

/**
 * Records a settlement.
 * @param settled - `audited` is true if the settlement was read from the chain, not only reported by a facilitator.
 * @returns The valid receipt: the first one recorded.
 */
export async function settlePayment(
  db: Db,
  key: PaymentKey,
  settled: {
    readonly transaction: string;
    readonly receipt: string;
    readonly audited: boolean;
    readonly now: number;
  },
): Promise<string> {
  const response = await db.rpc('settle_payment', {
    ...toKeyParameters(key),
    p_transaction: settled.transaction,
    p_receipt: settled.receipt,
    p_audited: settled.audited,
    p_now: formatTimestamp(settled.now),
  });
  return unwrap('record a settled payment', response);
}

/**
 * Releases a payment. Unfinished work is forgotten, and the payment can be used for another request. A payment that is
 * being settled can be settled again at once.
 * @returns True if the payment was given up: no settlement was started, and no other request serves it.
 */
export async function releasePayment(
  db: Db,
  key: PaymentKey & { readonly owner: string },
  now: number,
): Promise<boolean> {
  const response = await db.rpc('release_payment', {
    ...toKeyParameters(key),
    p_owner: key.owner,
    p_now: formatTimestamp(now),
  });
  return unwrap('release a payment', response);
}

/**
 * Marks a payment as failed after its settlement was refused, and deletes its result.
 * @returns False if another request has taken over the payment.
 */
export async function refusePayment(
  db: Db,
  key: PaymentKey & { readonly owner: string },
  now: number,
): Promise<boolean> {
  const response = await db.rpc('refuse_payment', {
    ...toKeyParameters(key),
    p_owner: key.owner,
    p_now: formatTimestamp(now),
  });
  return unwrap('record a refused payment', response);
}

export interface UncheckedPaymentsQuery {
  readonly network: string;
  /** Settling payments that no request has served since. All times are milliseconds since the epoch. */
  readonly openBefore: number;
  /** Payments that a facilitator reported as settled before. */
  readonly settledBefore: number;
  /** Failed payments that expired before. */
  readonly failedBefore: number;
  readonly now: number;
  readonly limit: number;
}

/** Claims payments for a comparison with the chain, those with the oldest check first. A failed payment is returned until it is audited. */
export async function claimUncheckedPayments(db: Db, query: UncheckedPaymentsQuery): Promise<Payment[]> {
  const response = await db.rpc('claim_unchecked_payments', {
    p_network: query.network,
    p_now: formatTimestamp(query.now),
    p_open_before: formatTimestamp(query.openBefore),
    p_settled_before: formatTimestamp(query.settledBefore),
    p_failed_before: formatTimestamp(query.failedBefore),
    p_limit: query.limit,
  });
  return z.array(paymentSchema).parse(unwrap('claim payments to check', response));
}

/**
 * Marks a payment as failed that, according to the chain, was not and cannot be settled.
 * @param failed - `refused` is true if the payer caused it, which counts as a refusal.
 * @returns False if a request serves the payment, or it was settled.
 */
export async function failPayment(
  db: Db,
  key: PaymentKey,
  failed: { readonly refused: boolean; readonly now: number },
): Promise<boolean> {
  const response = await db.rpc('fail_payment', {
    ...toKeyParameters(key),
    p_refused: failed.refused,
    p_now: formatTimestamp(failed.now),
  });
  return unwrap('record a failed payment', response);
}

/**
 * Records the comparison of a settled or failed payment with the chain. It is not compared again.
 * @param audit - `transaction` moved the money; null marks a settled payment as disputed.
 */
export async function auditPayment(
  db: Db,
  key: PaymentKey,
  audit: { readonly transaction: string | null; readonly now: number },
): Promise<void> {
  const response = await db.rpc('audit_payment', {
    ...toKeyParameters(key),
    p_transaction: audit.transaction ?? '',
    p_now: formatTimestamp(audit.now),
  });
  if (response.error) unwrap('audit a payment', response);
}

/** Retention of the results of settled payments, in milliseconds. */
const KEEP_RESULTS_MS = DAY_MS;
/** Retention of failed and unfinished payments, in milliseconds. */
const KEEP_FAILED_MS = 7 * DAY_MS;

/**
 * Deletes results one day after their settlement, and unfinished or failed payments after a week, at most `limit` of
 * each. Failed payments are first compared with the chain again. Settled payments are kept.
 */
export async function prunePayments(
  db: Db,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<{ results: number; payments: number }> {
  const response = await db.rpc('prune_payments', {
    p_keep_results_from: formatTimestamp(now - KEEP_RESULTS_MS),
    p_keep_failed_from: formatTimestamp(now - KEEP_FAILED_MS),
    p_limit: limit,
  });
  const [counts] = unwrap('prune payments', response);
  return counts ?? { results: 0, payments: 0 };
}
