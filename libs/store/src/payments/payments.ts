import { formatTimestamp } from '@touchstone/common';
import { z } from 'zod';
import { call, type Db } from '../client/client.ts';
import { createRowSchema } from '../client/rows.ts';
import { bigintSchema, timestampSchema } from '../client/values.ts';

/**
 * Unique key of a payment: network, token, payer and nonce of its EIP-3009 authorization. All values are in lower case.
 */
export interface PaymentKey {
  /** CAIP-2 id. */
  readonly network: string;
  readonly asset: string;
  readonly payer: string;
  readonly nonce: string;
}

export const STATES = ['working', 'settling', 'settled', 'failed', 'disputed'] as const;

const COLUMNS = {
  network: z.string(),
  asset: z.string(),
  payer: z.string(),
  nonce: z.string(),
  route: z.string(),
  requestHash: z.string(),
  paymentHash: z.string(),
  secretHash: z.string().nullable(),
  resource: z.string(),
  payTo: z.string(),
  amount: bigintSchema,
  validBefore: timestampSchema,
  state: z.enum(STATES),
  result: z.string().nullable(),
  receipt: z.string().nullable(),
  transaction: z.string().nullable(),
  createdAt: timestampSchema,
  settledAt: timestampSchema.nullable(),
};
const paymentSchema = createRowSchema(COLUMNS);
const storedPaymentSchema = createRowSchema({
  ...COLUMNS,
  auditedAt: timestampSchema.nullable(),
  isLeased: z.boolean(),
});

/**
 * Stored payment. Times are milliseconds since the epoch. The values of `state` are:
 * - `working`: the work that the payment buys is in progress.
 * - `settling`: the result is stored, and it is not known yet whether money moved.
 * - `settled`: money moved.
 * - `failed`: the payment was not settled and cannot be settled.
 * - `disputed`: a facilitator reported the settlement, but the chain shows no transfer.
 */
export type Payment = z.infer<typeof paymentSchema>;

/**
 * Stored payment. `isLeased` is true if a request held the lease of the payment when the payment was read. `auditedAt` is
 * the time at which reconciliation compared the payment with the chain.
 */
export type StoredPayment = z.infer<typeof storedPaymentSchema>;

/** Returns only the members that form the key of a payment. */
function toKey({ network, asset, payer, nonce }: PaymentKey) {
  return { network, asset, payer, nonce };
}

/**
 * Returns the parameter `now` of an SQL function; no parameter if `now` is undefined. Only tests set `now`. Without it,
 * the SQL function uses the clock of the database, because the clocks of two processes can differ.
 */
export function toTimeParameter(now: number | undefined): { readonly now?: string } {
  return now === undefined ? {} : { now: formatTimestamp(now) };
}

/** Returns the stored payment with the given key; null if there is no such payment. */
export async function findPayment(db: Db, key: PaymentKey): Promise<StoredPayment | null> {
  return storedPaymentSchema.nullable().parse(await call(db, 'find_payment', toKey(key)));
}

const storedResultSchema = z.enum(['stored', 'outdated', 'superseded']);

/**
 * Stores the result that a payment buys, before the payment is settled. The caller may settle the payment only after
 * `stored`.
 * @returns `outdated` if the watch that the payment renews was cancelled after the work, so the work must be done again;
 * `superseded` if another request has taken over the payment
 */
export async function storePaymentResult(
  db: Db,
  key: PaymentKey & { readonly owner: string },
  { now, ...stored }: { readonly result: string; readonly leaseSeconds: number; readonly now?: number },
): Promise<z.infer<typeof storedResultSchema>> {
  const parameters = { ...toKey(key), owner: key.owner, ...stored, ...toTimeParameter(now) };
  return storedResultSchema.parse(await call(db, 'store_payment_result', parameters));
}

/**
 * Extends the lease of a payment to `leaseSeconds` from now, if the request holds the payment. A lease that has ended is
 * extended only while the work of this request is unfinished.
 */
export async function extendPaymentLease(
  db: Db,
  key: PaymentKey & { readonly owner: string },
  { now, leaseSeconds }: { readonly leaseSeconds: number; readonly now?: number },
): Promise<void> {
  const parameters = { ...toKey(key), owner: key.owner, leaseSeconds, ...toTimeParameter(now) };
  await call(db, 'extend_payment_lease', parameters);
}

/**
 * Records the settlement of a payment.
 * @param settled - `audited` is true if the settlement was read from the chain, and false if only a facilitator
 * reported it.
 * @returns The stored receipt. Only the first call stores its receipt, so later calls get the receipt of the first
 * call.
 */
export async function settlePayment(
  db: Db,
  key: PaymentKey,
  {
    now,
    ...settled
  }: {
    readonly transaction: string;
    readonly receipt: string;
    readonly audited: boolean;
    readonly now?: number;
  },
): Promise<string> {
  return call(db, 'settle_payment', { ...toKey(key), ...settled, ...toTimeParameter(now) });
}

/**
 * Releases a payment that a request has claimed. Without a stored result, the payment can then be used for another
 * request. With a stored result, the payment can be settled again immediately.
 * @returns True if the payment is unused again: it has no stored result, and no other request has claimed it.
 */
export async function releasePayment(
  db: Db,
  key: PaymentKey & { readonly owner: string },
  now?: number,
): Promise<boolean> {
  const parameters = { ...toKey(key), owner: key.owner, ...toTimeParameter(now) };
  return call(db, 'release_payment', parameters);
}

/**
 * Marks a payment as failed after its settlement was refused. Its result stays, because the chain may show later that
 * the refused payment was settled.
 * @returns False if another request has claimed the payment in the meantime.
 */
export async function refusePayment(
  db: Db,
  key: PaymentKey & { readonly owner: string },
  now?: number,
): Promise<boolean> {
  const failed = { ...toKey(key), owner: key.owner, refused: true, ...toTimeParameter(now) };
  return call(db, 'fail_payment', failed);
}

/**
 * Marks a payment as failed after the chain showed that the payment was not settled and cannot be settled.
 * @param failed - `refused` is true if the payer caused the failure. Then the failure counts as a refused settlement.
 * @returns False if a request has claimed the payment, or if the state of the payment is not `settling`.
 */
export async function failPayment(
  db: Db,
  key: PaymentKey,
  { refused, now }: { readonly refused: boolean; readonly now?: number },
): Promise<boolean> {
  const failed = { ...toKey(key), refused, ...toTimeParameter(now) };
  return call(db, 'fail_payment', failed);
}

export interface UncheckedPaymentsQuery {
  readonly network: string;
  /**
   * Selects payments in state `working` or `settling` if the lease of their last request ended before this time. All
   * times are milliseconds since the epoch.
   */
  readonly openBefore: number;
  /** Selects settled payments that were settled before this time and were not compared with the chain yet. */
  readonly settledBefore: number;
  /** Selects failed payments that expired before this time and were not compared with the chain yet. */
  readonly failedBefore: number;
  readonly now: number;
  readonly limit: number;
}

/**
 * Returns payments that must be compared with the chain, and stores `now` as the time of their latest check. Payments
 * without a check come first, then the payments with the oldest check.
 */
export async function claimUncheckedPayments(db: Db, query: UncheckedPaymentsQuery): Promise<Payment[]> {
  const response = await call(db, 'claim_unchecked_payments', {
    ...query,
    now: formatTimestamp(query.now),
    openBefore: formatTimestamp(query.openBefore),
    settledBefore: formatTimestamp(query.settledBefore),
    failedBefore: formatTimestamp(query.failedBefore),
  });
  return z.array(paymentSchema).parse(response);
}

/**
 * Records that a settled, failed or unserved payment was compared with the chain, so the payment is not compared again.
 * @param audit - `transaction` is the transaction that moved the money. Null means that no money moved; a settled
 * payment then becomes disputed, and any other payment loses its transaction.
 */
export async function auditPayment(
  db: Db,
  key: PaymentKey,
  { transaction, now }: { readonly transaction: string | null; readonly now?: number },
): Promise<void> {
  const audit = { transaction: transaction ?? '', ...toTimeParameter(now) };
  await call(db, 'audit_payment', { ...toKey(key), ...audit });
}
