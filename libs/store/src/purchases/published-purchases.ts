import { formatTimestamp } from '@touchstone/common';
import { PURCHASE_FAILURES, PURCHASE_OUTCOMES } from '@touchstone/contract/shared/values';
import { z } from 'zod';
import { call, type Db } from '../client/client.ts';
import { createRowSchema } from '../client/rows.ts';
import { isoTimestampSchema } from '../client/values.ts';

const count = z.number().int();

const publishedPurchaseSchema = createRowSchema({
  id: z.string(),
  resource: z.string(),
  /** Slug of the page of the endpoint; null without a public page. */
  slug: z.string().nullable(),
  method: z.enum(['GET', 'POST']),
  requestedUrl: z.string(),
  requestSha256: z.string().nullable(),
  network: z.string(),
  asset: z.string(),
  payer: z.string(),
  payTo: z.string(),
  amount: z.string(),
  amountUsd: z.string(),
  reservedAt: isoTimestampSchema,
  nonce: z.string().nullable(),
  validBefore: isoTimestampSchema.nullable(),
  answeredAt: isoTimestampSchema.nullable(),
  httpStatus: count.nullable(),
  contentType: z.string().nullable(),
  bodyBytes: count.nullable(),
  bodySha256: z.string().nullable(),
  totalMs: count.nullable(),
  failure: z.enum(PURCHASE_FAILURES).nullable(),
  schemaFindings: z.array(z.string()).nullable(),
  charged: z.boolean().nullable(),
  transaction: z.string().nullable(),
  blockNumber: count.nullable(),
  settledAt: isoTimestampSchema.nullable(),
  outcome: z.enum(PURCHASE_OUTCOMES),
  decidedAt: isoTimestampSchema,
  publishedAt: isoTimestampSchema,
});

/** Published test purchase. Texts and addresses of the seller are unverified. Times are ISO 8601. */
export type PublishedPurchase = z.infer<typeof publishedPurchaseSchema>;

/** Returns a published test purchase; null for any other id. Needs the publishable key only. */
export async function findPublishedPurchase(db: Db, id: string): Promise<PublishedPurchase | null> {
  return publishedPurchaseSchema.nullable().parse(await call(db, 'published_purchase', { id }));
}

const ledgerSchema = z.object({
  wallets: z.array(z.string()),
  spent: z.object({
    ...{ todayUsd: z.string(), totalUsd: z.string() },
    ...{ purchases: count, charged: count, undecided: count, withheld: count },
  }),
  outcomes: z.partialRecord(z.enum(PURCHASE_OUTCOMES), count),
  purchases: z.array(
    z.object({
      id: z.string(),
      at: isoTimestampSchema,
      amountUsd: z.string(),
      network: z.string(),
      resource: z.string(),
      slug: z.string().nullable(),
      outcome: z.enum(PURCHASE_OUTCOMES),
      httpStatus: count.nullable(),
      totalMs: count.nullable(),
      transaction: z.string().nullable(),
    }),
  ),
});

/** Public ledger of test purchases. Purchases that are not published are counted only. */
export type PurchaseLedger = z.infer<typeof ledgerSchema>;

/**
 * Returns the public ledger with its newest published purchases, at most 500, the newest first. Needs the publishable key only.
 *
 * @param options.now current time in milliseconds since the epoch
 */
export async function readPurchaseLedger(
  db: Db,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<PurchaseLedger> {
  return ledgerSchema.parse(await call(db, 'delivery_ledger', { now: formatTimestamp(now), limit }));
}
