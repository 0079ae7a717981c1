import { z } from 'zod';
import type { Hex } from 'viem';

const hexOf = (pattern: RegExp) =>
  z
    .string()
    .regex(pattern)
    // The pattern is what the type says, in lower case.
    .transform((text) => text.toLowerCase() as Hex);

/** An unsigned number of at most 256 bits. */
export const quantitySchema = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/i)
  .transform((text) => BigInt(text));

const upTo = (most: bigint) => quantitySchema.refine((value) => value <= most, 'too large').transform(Number);
/** What an integer of the database holds. */
const indexSchema = upTo(0x7fff_ffffn);
/** Seconds since the epoch, to the end of the year 9999. */
const timeSchema = upTo(253_402_300_799n);

export const wordSchema = hexOf(/^0x[0-9a-f]{64}$/i);
const addressSchema = hexOf(/^0x[0-9a-f]{40}$/i);

/** A log as eth_getLogs gives it. Some nodes add the time of its block. */
export const logSchema = z.object({
  address: addressSchema,
  topics: z.array(wordSchema).max(4),
  data: hexOf(/^0x(?:[0-9a-f]{2})*$/i),
  blockNumber: quantitySchema,
  blockHash: wordSchema,
  transactionHash: wordSchema,
  logIndex: indexSchema,
  blockTimestamp: timeSchema.optional().catch(undefined),
});
export type Log = z.infer<typeof logSchema>;

/** A log that counts for nothing: taken back by a re-org, or of a block that is not mined yet. */
export const voidLogSchema = z.union([
  z.object({ removed: z.literal(true) }),
  z.object({ blockNumber: z.null() }),
]);

/** The parts of a block header that are read; null for a block the provider does not have. */
export const headerSchema = z
  .object({ number: quantitySchema, hash: wordSchema, timestamp: timeSchema })
  .nullable();
export type Header = NonNullable<z.infer<typeof headerSchema>>;

/** Who sent a transaction; null for one the provider does not have. */
export const senderSchema = z.object({ hash: wordSchema, from: addressSchema }).nullable();

/** The parts of a receipt that are read; null for a transaction the provider does not have. */
export const receiptSchema = z.object({ transactionHash: wordSchema, logs: z.array(logSchema) }).nullable();
