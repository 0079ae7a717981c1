import { formatTimestamp } from '@touchstone/common';
import { z } from 'zod';
import { callForRow, type Db } from '../client/client.ts';
import { createRowSchema, toRow } from '../client/rows.ts';
import { bigintSchema, timestampSchema } from '../client/values.ts';
import { STATES, toTimeParameter, type PaymentKey } from './payments.ts';

/** A payment, and the request that presents this payment. */
export interface PaymentClaim extends PaymentKey {
  /** Method and path of the paid operation, such as `POST /v1/x402-trust`. */
  readonly route: string;
  /** SHA-256 of the operation and its input. Equal requests have equal hashes. */
  readonly requestHash: string;
  /** SHA-256 of the signed authorization and its signature. */
  readonly paymentHash: string;
  /** SHA-256 of the secret from the challenge; null if the client did not repeat the secret in the payment. */
  readonly secretHash: string | null;
  /** URL or text that the request is about, such as the endpoint of a report. */
  readonly resource: string;
  readonly payTo: string;
  /** Atomic units. */
  readonly amount: bigint;
  /**
   * End of the payment's validity, in milliseconds since the epoch. From this time on, the payment cannot be settled.
   */
  readonly validBefore: number;
  /** Unique id of the request that claims the payment and holds its lease. */
  readonly owner: string;
}

const claimedSchema = createRowSchema({
  outcome: z.enum(['claimed', 'resumed', 'outdated', 'busy', 'other', 'settled', 'limited']),
  state: z.enum(['absent', ...STATES]),
  samePayment: z.boolean(),
  result: z.string().nullable(),
  receipt: z.string().nullable(),
  settledAt: timestampSchema.nullable(),
  attempt: z.number(),
  retryAt: timestampSchema.nullable(),
  openPayments: z.array(z.object({ nonce: z.string(), amount: bigintSchema })),
  payTo: z.string().nullable(),
  amount: bigintSchema.nullable(),
  createdAt: timestampSchema.nullable(),
}).transform(({ samePayment: isSamePayment, payTo, amount, createdAt, ...row }) => {
  const isStored = payTo !== null && amount !== null && createdAt !== null;
  return { ...row, isSamePayment, stored: isStored ? { payTo, amount, createdAt } : null };
});

/**
 * Result of claiming a payment. Times are milliseconds since the epoch. `state` is the state of the stored payment
 * before the claim. `isSamePayment` is true if the stored payment has the same payment hash and secret hash. `stored`
 * has the payment terms and the time of the first claim; null if the payment was not stored. The values of `outcome`
 * are:
 * - `claimed`: the caller does the work. `openPayments` are the payer's other open payments, which may draw on the same
 *   balance.
 * - `resumed`: the result is stored already. The caller settles the payment again; `attempt` is the number of this
 *   settlement.
 * - `outdated`: like `resumed`, but the watch that the payment renews was cancelled. The caller does not settle the
 *   payment, and only reads from the chain if an earlier settlement moved the money.
 * - `busy`: another request holds the lease of the payment.
 * - `other`: the nonce was first used with a different request, or in a different payment.
 * - `settled`: the payment already bought `result`, which is null after the result was deleted.
 * - `limited`: the payer had too many refused settlements, and may try again at `retryAt`.
 */
export type ClaimedPayment = z.infer<typeof claimedSchema>;

/** Maximum number of refused settlements of one payer within an hour. A successful settlement resets the count. */
const MAX_REFUSALS = 3;

interface ClaimLease {
  readonly leaseSeconds: number;
  /** Transaction that paid the payment according to the chain; absent for a payment that is not settled yet. */
  readonly paidBy?: string | undefined;
  /**
   * Time of the claim, in milliseconds since the epoch. By default the time of the database; only tests pass a time.
   */
  readonly now?: number;
}

/**
 * Looks up a payment and claims the payment for a request. No other request can process the payment for `leaseSeconds`.
 */
export async function claimPayment(
  db: Db,
  claim: PaymentClaim,
  { now, leaseSeconds, paidBy }: ClaimLease,
): Promise<ClaimedPayment> {
  const payment = {
    ...claim,
    amount: claim.amount.toString(),
    validBefore: formatTimestamp(claim.validBefore),
    transaction: paidBy ?? null,
  };
  const response = await callForRow(db, 'claim_payment', {
    payment: toRow(payment),
    leaseSeconds,
    maxRefusals: MAX_REFUSALS,
    ...toTimeParameter(now),
  });
  return claimedSchema.parse(response);
}
