import { type Hex, pad, parseAbi, toEventSelector } from 'viem';
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

/** The data of a transaction; null for a transaction that the provider does not have. */
export const transactionSchema = z
  .object({ hash: wordSchema, input: createHexSchema(/^0x(?:[0-9a-f]{2})*$/i) })
  .nullable();

/** The fields of a receipt that this package uses; null for a transaction that the provider does not have. */
export const receiptSchema = z
  .object({
    transactionHash: wordSchema,
    from: addressSchema,
    blockNumber: quantitySchema,
    blockHash: wordSchema,
    /** 0 for a reverted transaction, which has no logs. */
    status: quantitySchema.nullish(),
    logs: z.array(logSchema),
  })
  .nullable();
export type Receipt = NonNullable<z.infer<typeof receiptSchema>>;

const [TRANSFER, AUTHORIZATION_USED, AUTHORIZATION_CANCELED] = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
]);

/** First topic of the event Transfer (ERC-20). */
export const TRANSFER_TOPIC = toEventSelector(TRANSFER);
/** First topic of the event AuthorizationUsed (EIP-3009). */
export const AUTHORIZATION_TOPIC = toEventSelector(AUTHORIZATION_USED);
/** First topic of the event AuthorizationCanceled (EIP-3009). */
export const CANCELED_TOPIC = toEventSelector(AUTHORIZATION_CANCELED);

/**
 * Maximum number of addresses in one log filter. geth and erigon accept 1,000. The remaining values are for the topics
 * of known logs (`KnownLog`).
 */
const MAX_FILTER_VALUES = 900;

/** Filter of `eth_getLogs` without a block range. The first topic selects events; a null topic matches any value. */
export interface LogFilter {
  readonly address: Hex;
  readonly topics: readonly [Hex | readonly Hex[], ...(readonly Hex[] | null)[]];
}

function splitIntoChunks<T>(values: readonly T[]): T[][] {
  const count = Math.ceil(values.length / MAX_FILTER_VALUES);
  return Array.from({ length: count }, (_, i) =>
    values.slice(i * MAX_FILTER_VALUES, (i + 1) * MAX_FILTER_VALUES),
  );
}

function toTopic(address: Hex): Hex {
  return pad(address, { size: 32 });
}

/** Converts a topic to an address. Returns null when the topic does not begin with 12 zero bytes. */
export function toAddress(topic: Hex): Hex | null {
  return topic.startsWith('0x000000000000000000000000') ? `0x${topic.slice(26)}` : null;
}

/** Event whose logs a filter matches, and the topic with the requested addresses. */
interface FilteredEvent {
  readonly token: Hex;
  readonly event: Hex;
  /** 1 for the sender of a transfer and the authorizer of an authorization; 2 for the payee of a transfer. */
  readonly position: 1 | 2;
}

/**
 * Creates log filters that match all logs of an event for the addresses, with at most `MAX_FILTER_VALUES` addresses each.
 * @param addresses any number of addresses in lower case
 */
export function createLogFilters(
  { token, event, position }: FilteredEvent,
  addresses: readonly Hex[],
): LogFilter[] {
  return splitIntoChunks(addresses).map((chunk) => ({
    address: token,
    topics: [event, ...(position === 2 ? [null] : []), chunk.map(toTopic)],
  }));
}
