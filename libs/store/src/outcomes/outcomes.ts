import { formatTimestamp } from '@touchstone/common';
import { UNCOUNTED_REASONS } from '@touchstone/contract/operations/outcome/operation';
import { z } from 'zod';
import { call, type Db } from '../client/client.ts';
import { toRow } from '../client/rows.ts';
import { isoTimestampSchema } from '../client/values.ts';

const paymentSchema = z.object({
  nonce: z.string(),
  transaction: z.string(),
  /** Address that sent the transaction. */
  sender: z.string(),
  payTo: z.string(),
  /** Atomic units of USDC. */
  amount: z.string(),
  paidAt: isoTimestampSchema,
});

/** Payment of an outcome, as the chain shows it. Addresses, nonce and transaction are lower case. */
export type PaidOutcome = z.infer<typeof paymentSchema>;

const subjectSchema = z.object({
  removed: z.boolean(),
  slug: z.string(),
  payments: z.array(paymentSchema),
});

/** Endpoint of an outcome, and the payments of stored outcomes that a request names. */
type OutcomeSubject = z.infer<typeof subjectSchema>;

/** Payment that an outcome names: `nonce` or `transaction` is null. All values are lower case. */
export interface NamedPayment {
  readonly network: string;
  readonly payer: string;
  readonly nonce: string | null;
  readonly transaction: string | null;
}

/** Returns the endpoint of an outcome; null if it is unknown. */
export async function findOutcomeSubject(
  db: Db,
  endpointId: string,
  { nonce, transaction, ...named }: NamedPayment,
): Promise<OutcomeSubject | null> {
  // The generated type has no null, because PostgreSQL does not know which arguments may be null.
  const args = { endpointId, ...named, nonce: nonce ?? '', transaction: transaction ?? '' };
  return subjectSchema.nullable().parse(await call(db, 'outcome_subject', args));
}

/** Outcome that a payer reports. */
export interface NewOutcome extends PaidOutcome {
  readonly network: string;
  readonly payer: string;
  readonly endpointId: string;
  readonly delivered: boolean;
  readonly httpStatus: number | null;
  readonly bodySha256: string | null;
  /** ISO 8601. */
  readonly observedAt: string;
  readonly signature: string;
}

const count = z.int().min(0);
const recordedSchema = z.object({
  reason: z.enum(UNCOUNTED_REASONS).nullable(),
  outcome: z.object({
    delivered: z.boolean(),
    httpStatus: z.number().nullable(),
    bodySha256: z.string().nullable(),
    observedAt: isoTimestampSchema,
  }),
  buyers: z.object({ delivered: count, failed: count }),
});

/**
 * Result of a reported outcome. `reason`: why it does not count; null if it counts. `outcome`: the stored outcome of the
 * payment, or the sent outcome if none is stored. `buyers`: distinct payers by their latest outcome.
 */
export type RecordedOutcome = z.infer<typeof recordedSchema>;

/** Stores an outcome, and queues its endpoint for scoring. Returns null if the endpoint was deleted. */
export async function recordBuyerOutcome(
  db: Db,
  outcome: NewOutcome,
  now: number,
): Promise<RecordedOutcome | null> {
  const row = toRow(outcome);
  const result = await call(db, 'record_buyer_outcome', { outcome: row, now: formatTimestamp(now) });
  return recordedSchema.nullable().parse(result);
}

/**
 * Decides again which outcomes count at endpoints that are due, for example after a refund, and queues the endpoints
 * that have changed for scoring. Returns the number of endpoints.
 */
export async function recheckBuyerOutcomes(
  db: Db,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<number> {
  return z.int().parse(await call(db, 'recheck_buyer_outcomes', { now: formatTimestamp(now), limit }));
}

const advertisersSchema = z.array(z.object({ resource: z.string(), slug: z.string() }));

/** Payment whose endpoints are searched. `payTo` is lower case, `amount` has atomic units, and `at` is in milliseconds. */
interface AdvertisedPayment {
  readonly network: string;
  readonly payTo: string;
  readonly amount: bigint;
  readonly at: number;
}

/**
 * Returns public endpoints that advertised the wallet at the time of the payment, those with its price first, and the
 * slugs of their pages.
 */
export async function findPaymentAdvertisers(
  db: Db,
  { amount, at, ...payment }: AdvertisedPayment,
  limit: number,
): Promise<z.infer<typeof advertisersSchema>> {
  const args = { ...payment, amount: amount.toString(), at: formatTimestamp(at), limit };
  return advertisersSchema.parse(await call(db, 'payment_advertisers', args));
}
