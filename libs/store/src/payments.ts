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
  /** SHA-256 of the operation and its input. */
  readonly requestHash: string;
  /** SHA-256 of what was signed and of its signature. */
  readonly paymentHash: string;
  /** SHA-256 of the secret of the challenge that it answers; null where the client left that out. */
  readonly secretHash: string | null;
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
    payment_hash: z.string(),
    secret_hash: z.string().nullable(),
    resource: z.string(),
    pay_to: z.string(),
    amount: amountSchema,
    valid_before: timeSchema,
    state: z.enum(['working', 'settling', 'settled', 'failed', 'disputed']),
    lease_until: timeSchema,
    result: z.string().nullable(),
    receipt: z.string().nullable(),
    transaction: z.string().nullable(),
    created_at: timeSchema,
    settled_at: timeSchema.nullable(),
  })
  .transform(({ request_hash: requestHash, payment_hash: paymentHash, pay_to: payTo, ...row }) => {
    const { valid_before: validBefore, lease_until: leaseUntil, secret_hash: secretHash, ...rest } = row;
    const { created_at: createdAt, settled_at: settledAt, ...payment } = rest;
    const hashes = { requestHash, paymentHash, secretHash };
    return { ...payment, ...hashes, payTo, validBefore, leaseUntil, createdAt, settledAt };
  });

/**
 * What became of a payment. `working`: its work is being done; `settling`: the work is done, and whether money moved is
 * not known yet; `settled`; `failed`: it was not and cannot be settled; `disputed`: a facilitator said that it was, and
 * the chain says that it was not. Times are milliseconds since the epoch.
 */
export type Payment = z.infer<typeof paymentSchema>;

const claimedSchema = z
  .object({
    outcome: z.enum(['claimed', 'resumed', 'busy', 'other', 'settled', 'limited']),
    result: z.string().nullable(),
    receipt: z.string().nullable(),
    settled_at: timeSchema.nullable(),
    attempt: z.number(),
    retry_at: timeSchema.nullable(),
    open_payments: z.array(z.object({ nonce: z.string(), amount: amountSchema })),
  })
  .transform(({ settled_at: settledAt, retry_at: retryAt, open_payments: openPayments, ...row }) => ({
    ...row,
    settledAt,
    retryAt,
    openPayments,
  }));

/**
 * What taking a payment came to. `claimed`: do the work; `resumed`: it is done, settle again, for the `attempt`th time;
 * `busy`: somebody else serves it; `other`: it was first presented with another request, or is not the payment that was;
 * `settled`: it bought the result, which is null once it is no longer kept; `limited`: its payer was refused too often,
 * and may come again at `retryAt`. `openPayments` is what else its payer has open where it was claimed, from the same
 * balance. Times are milliseconds since the epoch.
 */
export type ClaimedPayment = z.infer<typeof claimedSchema>;

/** How many payments of one payer may be refused at settlement within an hour, and none settled since. */
const MOST_REFUSALS = 3;

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
    p_most_refusals: MOST_REFUSALS,
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
 * @param settled `audited` where the chain says so, and not a facilitator alone
 * @returns the receipt that holds, which is that of whoever recorded it first
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
  const answer = await db.rpc('settle_payment', {
    ...keyOf(key),
    p_transaction: settled.transaction,
    p_receipt: settled.receipt,
    p_audited: settled.audited,
    p_now: isoTime(settled.now),
  });
  return unwrap('record a settled payment', answer);
}

/**
 * Lets go of a payment. Where its work is not done it is forgotten, and may be presented with another request; where it
 * is not settled, it can be settled again at once.
 * @returns whether it was given back: no settlement of it was begun, and nobody else serves it
 */
export async function releasePayment(
  db: Db,
  key: PaymentKey & { readonly owner: string },
  now: number,
): Promise<boolean> {
  const answer = await db.rpc('release_payment', { ...keyOf(key), p_owner: key.owner, p_now: isoTime(now) });
  return unwrap('release a payment', answer);
}

/**
 * Gives up a payment that was refused when it was settled, and forgets its result.
 * @returns false where somebody else has taken it over
 */
export async function refusePayment(
  db: Db,
  key: PaymentKey & { readonly owner: string },
  now: number,
): Promise<boolean> {
  const answer = await db.rpc('refuse_payment', { ...keyOf(key), p_owner: key.owner, p_now: isoTime(now) });
  return unwrap('give up a refused payment', answer);
}

export interface UncheckedOrder {
  readonly network: string;
  /** Milliseconds since the epoch, as all that follow: nobody has served an unsettled payment since. */
  readonly openBefore: number;
  /** A facilitator said that it was settled before. */
  readonly settledBefore: number;
  /** It failed, and its time was over before. */
  readonly failedBefore: number;
  readonly now: number;
  readonly limit: number;
}

/** Takes payments to compare with the chain, those first that were not for longest. Each failed one comes up until it was. */
export async function takeUncheckedPayments(db: Db, order: UncheckedOrder): Promise<Payment[]> {
  const answer = await db.rpc('take_unchecked_payments', {
    p_network: order.network,
    p_now: isoTime(order.now),
    p_open_before: isoTime(order.openBefore),
    p_settled_before: isoTime(order.settledBefore),
    p_failed_before: isoTime(order.failedBefore),
    p_limit: order.limit,
  });
  return z.array(paymentSchema).parse(unwrap('take payments to check', answer));
}

/**
 * Gives up a payment of which the chain says that it was not and cannot be settled.
 * @param failed `refused`: through its payer, which counts against it
 * @returns false where somebody serves it, or it was settled
 */
export async function failPayment(
  db: Db,
  key: PaymentKey,
  failed: { readonly refused: boolean; readonly now: number },
): Promise<boolean> {
  const answer = await db.rpc('fail_payment', {
    ...keyOf(key),
    p_refused: failed.refused,
    p_now: isoTime(failed.now),
  });
  return unwrap('give up a payment', answer);
}

/**
 * Records what the chain says of a payment that was settled or that failed, after which it is not asked again.
 * @param audit `transaction`: of a settled one, that which moved the money; null where none did, which disputes it
 */
export async function auditPayment(
  db: Db,
  key: PaymentKey,
  audit: { readonly transaction: string | null; readonly now: number },
): Promise<void> {
  const answer = await db.rpc('audit_payment', {
    ...keyOf(key),
    p_transaction: audit.transaction ?? '',
    p_now: isoTime(audit.now),
  });
  if (answer.error) unwrap('audit a payment', answer);
}

/** How long the result of a settled payment is kept, and a payment that came to nothing, in milliseconds. */
const KEEP_RESULTS_MS = 24 * 3_600_000;
const KEEP_FAILED_MS = 7 * KEEP_RESULTS_MS;

/**
 * Forgets results a day after their settlement, and payments that came to nothing after a week, once the chain was asked
 * about them again, at most `limit` of each. What was settled stays.
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
