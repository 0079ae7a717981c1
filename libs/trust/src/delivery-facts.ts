import { PURCHASE_OUTCOMES } from '@touchstone/contract';
import { z } from 'zod';

/** Schema of a published test purchase. */
export const purchaseFactSchema = z.object({
  id: z.string(),
  /** Time in milliseconds since the epoch. */
  at: z.number(),
  outcome: z.enum(PURCHASE_OUTCOMES),
  /** Price in US dollars. */
  amountUsd: z.string(),
  /** HTTP status of the response to the payment; null without a response. */
  httpStatus: z.number().int().nullable(),
  /** Length of the body of this response in bytes; null without a response. */
  bodyBytes: z.number().nullable(),
  /** Number of differences between this body and the declared schema; null if they were not compared. */
  schemaFindings: z.number().nullable(),
  /** Time from the payment to the end of the response, in milliseconds; null without a response. */
  totalMs: z.number().nullable(),
  /** Transaction of the payment; null if the payment was not charged, or if this is unknown. */
  transaction: z.string().nullable(),
});

/** Schema of what an endpoint delivered for money in the last 30 days. It is not part of the score. */
export const deliveryFactsSchema = z.object({
  /** Newest published test purchases, newest first, at most eight. */
  purchases: z.array(purchaseFactSchema).readonly(),
  /** Numbers of distinct payers that reported an outcome, by the latest outcome of each payer. */
  buyers: z.object({ delivered: z.number(), failed: z.number() }),
});
export type Purchase = z.infer<typeof purchaseFactSchema>;
export type DeliveryFacts = Readonly<z.infer<typeof deliveryFactsSchema>>;
