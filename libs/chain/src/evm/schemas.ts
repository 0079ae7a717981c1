import type { Hex } from 'viem';
import { z } from 'zod';

const createHexSchema = (pattern: RegExp) =>
  z
    .string()
    .regex(pattern)
    // The cast is safe: every pattern requires the 0x prefix and hexadecimal digits.
    .transform((text) => text.toLowerCase() as Hex);

/** An unsigned hexadecimal number of at most 256 bits. */
export const quantitySchema = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/i)
  .transform((text) => BigInt(text));

const createNumberSchema = (max: bigint) =>
  quantitySchema.refine((value) => value <= max, 'too large').transform(Number);
/** A log index within the range of an `integer` column of PostgreSQL. */
const indexSchema = createNumberSchema(0x7fff_ffffn);
/** A time in seconds since the epoch, at most the end of the year 9999. */
const timeSchema = createNumberSchema(253_402_300_799n);

/** A value of 32 bytes. */
export const wordSchema = createHexSchema(/^0x[0-9a-f]{64}$/i);
const addressSchema = createHexSchema(/^0x[0-9a-f]{40}$/i);

/** A log in a result of `eth_getLogs`. Some nodes add the time of its block. */
export const logSchema = z.object({
  address: addressSchema,
  topics: z.array(wordSchema).max(4),
  data: createHexSchema(/^0x(?:[0-9a-f]{2})*$/i),
  blockNumber: quantitySchema,
  blockHash: wordSchema,
  transactionHash: wordSchema,
  logIndex: indexSchema,
  blockTimestamp: timeSchema.optional().catch(undefined),
});
export type Log = z.infer<typeof logSchema>;

/** A log to ignore: removed by a reorg, or in a pending block. */
export const voidLogSchema = z.union([
  z.object({ removed: z.literal(true) }),
  z.object({ blockNumber: z.null() }),
]);

/** The fields of a block header that this package uses; null for a block that the provider does not have. */
export const headerSchema = z
  .object({ number: quantitySchema, hash: wordSchema, timestamp: timeSchema })
  .nullable();
export type Header = NonNullable<z.infer<typeof headerSchema>>;

/** The sender of a transaction; null for a transaction that the provider does not have. */
export const senderSchema = z.object({ hash: wordSchema, from: addressSchema }).nullable();

/** The fields of a receipt that this package uses; null for a transaction that the provider does not have. */
export const receiptSchema = z.object({ transactionHash: wordSchema, logs: z.array(logSchema) }).nullable();
