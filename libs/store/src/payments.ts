import { z } from 'zod';
import { unwrap, type Db } from './client.ts';
import { toJson } from './json.ts';
import { isoTime, timeSchema } from './time.ts';

/** One payment: the nonce of an EIP-3009 authorization. All in lower case. */
export interface PaymentKey {
  /** CAIP-2 id. */
  readonly network: string;
  readonly asset: string;
  readonly payer: string;
  readonly nonce: string;
}

/** A payment and what it is presented with. */
export interface PaymentClaim extends PaymentKey {
  /** The operation, such as `POST /v1/x402-trust`. */
  readonly route: string;
  /** SHA-256 of the operation and its input, and of the header that carries the payment. */
  readonly requestHash: string;
  readonly headerHash: string;
  /** What is bought. */
  readonly resource: string;
  readonly payTo: string;
  /** Atomic units. */
  readonly amount: bigint;
  /** Milliseconds since the epoch; from then on it cannot be settled. */
  readonly validBefore: number;
  /** Names the request that takes it, and no other. */
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
    header_hash: z.string(),
    resource: z.string(),
    pay_to: z.string(),
    amount: amountSchema,
    valid_before: timeSchema,
    state: z.enum(['working', 'settling', 'settled', 'failed']),
    lease_until: timeSchema,
    result: z.string().nullable(),
    receipt: z.string().nullable(),
    transaction: z.string().nullable(),
    created_at: timeSchema,
    settled_at: timeSchema.nullable(),
  })
  .transform(({ request_hash: requestHash, header_hash: headerHash, pay_to: payTo, ...row }) => {
    const { valid_before: validBefore, lease_until: leaseUntil, ...rest } = row;
    const { created_at: createdAt, settled_at: settledAt, ...payment } = rest;
    return { ...payment, requestHash, headerHash, payTo, validBefore, leaseUntil, createdAt, settledAt };
  });

/**
 * What became of a payment. `working`: its work is being done; `settling`: the work is done, and whether money moved is
 * not known yet; `settled`; `failed`: it was not and cannot be settled. Times are milliseconds since the epoch.
 */
export type Payment = z.infer<typeof paymentSchema>;

const claimedSchema = z
  .object({
    outcome: z.enum(['claimed', 'resumed', 'busy', 'other', 'settled']),
    result: z.string().nullable(),
    receipt: z.string().nullable(),
    header_hash: z.string(),
    created_at: timeSchema,
  })
  .transform(({ header_hash: headerHash, created_at: createdAt, ...row }) => ({
    ...row,
    headerHash,
    createdAt,
  }));

/**
 * What taking a payment came to. `claimed`: do the work; `resumed`: it is done, settle again; `busy`: somebody else
 * serves it; `other`: it was first presented with another request; `settled`: it bought the result, which is null once
 * it is no longer kept. `headerHash` and `createdAt` (milliseconds since the epoch) are those it was first presented with.
 */
export type ClaimedPayment = z.infer<typeof claimedSchema>;

const keyOf = ({ network, asset, payer, nonce }: PaymentKey) => ({
  p_network: network,
  p_asset: asset,
  p_payer: payer,
  p_nonce: nonce,
});

/** What is known of a payment; null where it was never presented. */
export async function findPayment(db: Db, key: PaymentKey): Promise<Payment | null> {
  const rows = unwrap('find a payment', await db.rpc('find_payment', keyOf(key)));
  return z.array(paymentSchema).parse(rows)[0] ?? null;
}

/** Takes a payment for a request, so that nobody else serves it for `leaseSeconds`. */
export async function claimPayment(
  db: Db,
  claim: PaymentClaim,
  { now, leaseSeconds }: { readonly now: number; readonly leaseSeconds: number },
): Promise<ClaimedPayment> {
  const { amount, validBefore, ...rest } = claim;
  const answer = await db.rpc('claim_payment', {
    p_payment: toJson({ ...rest, amount: amount.toString(), validBefore: isoTime(validBefore) }),
    p_now: isoTime(now),
    p_lease_seconds: leaseSeconds,
  });
  return z.tuple([claimedSchema]).parse(unwrap('claim a payment', answer))[0];
}

/**
 * Keeps what the work of a payment came to, before it is settled.
 * @returns false where somebody else has taken the payment over: then it is theirs to settle
 */
export async function keepPaymentResult(
  db: Db,
  key: PaymentKey & { readonly owner: string },
  kept: { readonly result: string; readonly now: number; readonly leaseSeconds: number },
): Promise<boolean> {
  const answer = await db.rpc('keep_payment_result', {
    ...keyOf(key),
    p_owner: key.owner,
    p_result: kept.result,
    p_now: isoTime(kept.now),
    p_lease_seconds: kept.leaseSeconds,
  });
  return unwrap('keep the result of a payment', answer);
}

/**
 * Records that a payment was settled.
 * @param settled `transaction` is null where it is not known which one settled it
 * @returns the receipt that holds, which is that of whoever recorded it first
 */
export async function settlePayment(
  db: Db,
  key: PaymentKey,
  settled: { readonly transaction: string | null; readonly receipt: string; readonly now: number },
): Promise<string> {
  const answer = await db.rpc('settle_payment', {
    ...keyOf(key),
    p_transaction: settled.transaction ?? '',
    p_receipt: settled.receipt,
    p_now: isoTime(settled.now),
  });
  return unwrap('record a settled payment', answer);
}

/**
 * Lets go of a payment. Where its work is not done it is forgotten, and may be presented with another request; where it
 * is not settled, it can be settled again at once.
 */
export async function releasePayment(
  db: Db,
  key: PaymentKey & { readonly owner: string },
  now: number,
): Promise<void> {
  const answer = await db.rpc('release_payment', { ...keyOf(key), p_owner: key.owner, p_now: isoTime(now) });
  if (answer.error) unwrap('release a payment', answer);
}

/** Payments of a network that nobody serves and whose settlement has been open since before `before`, at most `limit`. */
export async function readOpenPayments(
  db: Db,
  { network, before, limit }: { readonly network: string; readonly before: number; readonly limit: number },
): Promise<Payment[]> {
  const answer = await db.rpc('open_payments', {
    p_network: network,
    p_before: isoTime(before),
    p_limit: limit,
  });
  return z.array(paymentSchema).parse(unwrap('read open payments', answer));
}

/**
 * Gives up a payment that can no longer be settled.
 * @returns false where somebody serves it, it can still be settled, or it was
 */
export async function failPayment(db: Db, key: PaymentKey, now: number): Promise<boolean> {
  return unwrap('give up a payment', await db.rpc('fail_payment', { ...keyOf(key), p_now: isoTime(now) }));
}

/** How long the result of a settled payment is kept, and a payment that came to nothing, in milliseconds. */
const KEEP_RESULTS_MS = 24 * 3_600_000;
const KEEP_FAILED_MS = 7 * KEEP_RESULTS_MS;

/**
 * Forgets results a day after their settlement, and payments that came to nothing after a week, at most `limit` of
 * each. What was settled stays.
 */
export async function prunePayments(
  db: Db,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<{ results: number; payments: number }> {
  const answer = await db.rpc('prune_payments', {
    p_keep_results_from: isoTime(now - KEEP_RESULTS_MS),
    p_keep_failed_from: isoTime(now - KEEP_FAILED_MS),
    p_limit: limit,
  });
  const [counts] = unwrap('prune payments', answer);
  return counts ?? { results: 0, payments: 0 };
}
