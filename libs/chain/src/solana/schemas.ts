import { z } from 'zod';

const countSchema = z.number().int().nonnegative();
const keySchema = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
export const slotSchema = countSchema;

/** Time of a slot in seconds since the epoch; null when the time is unknown. */
export const blockTimeSchema = z.number().int().min(0).max(253_402_300_799).nullable();

/** One transaction in a result of `getSignaturesForAddress`. */
export const signatureSchema = z.object({
  signature: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/),
  slot: slotSchema,
  /** Null for a successful transaction. */
  err: z.unknown(),
  blockTime: blockTimeSchema,
});
export type Signature = z.infer<typeof signatureSchema>;

const balanceSchema = z.object({
  accountIndex: countSchema.max(255),
  mint: keySchema,
  owner: keySchema.optional(),
  uiTokenAmount: z.object({ amount: z.string().regex(/^\d{1,20}$/) }),
});

/**
 * The fields of a `getTransaction` result (`jsonParsed`) that this package uses; null for a transaction that the
 * provider does not have.
 */
export const transactionSchema = z
  .object({
    slot: slotSchema,
    blockTime: blockTimeSchema,
    transaction: z.object({
      signatures: z.array(z.string()).min(1),
      message: z.object({ accountKeys: z.array(z.object({ pubkey: keySchema })).min(1) }),
    }),
    meta: z.object({
      err: z.unknown(),
      preTokenBalances: z.array(balanceSchema).nullish(),
      postTokenBalances: z.array(balanceSchema).nullish(),
    }),
  })
  .nullable();
export type Transaction = NonNullable<z.infer<typeof transactionSchema>>;
