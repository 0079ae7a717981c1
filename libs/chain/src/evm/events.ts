import { pad, parseAbi, toEventSelector, type Hex } from 'viem';

const [TRANSFER, AUTHORIZATION_USED] = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
]);

/** First topic of the event Transfer (ERC-20). */
export const TRANSFER_TOPIC = toEventSelector(TRANSFER);
/** First topic of the event AuthorizationUsed (EIP-3009). */
export const AUTHORIZATION_TOPIC = toEventSelector(AUTHORIZATION_USED);

/**
 * Maximum number of addresses in one log filter. geth and erigon accept 1,000. The difference leaves room for the
 * topics of known logs, which are added to a filter.
 */
const MAX_FILTER_VALUES = 900;

/** Filter of `eth_getLogs` without a block range. The first topic selects one event; a null topic matches any value. */
export interface LogFilter {
  readonly address: Hex;
  readonly topics: readonly [Hex, ...(readonly Hex[] | null)[]];
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

/**
 * Creates log filters that match all transfers of a token to the wallets, with at most `MAX_FILTER_VALUES` wallets
 * each.
 * @param wallets any number of addresses in lower case
 */
export function createTransferFilters(token: Hex, wallets: readonly Hex[]): LogFilter[] {
  return splitIntoChunks(wallets).map((chunk) => ({
    address: token,
    topics: [TRANSFER_TOPIC, null, chunk.map(toTopic)],
  }));
}

/**
 * Creates log filters that match all used authorizations of the payers, with at most `MAX_FILTER_VALUES` payers each.
 * @param payers any number of addresses in lower case
 */
export function createAuthorizationFilters(token: Hex, payers: readonly Hex[]): LogFilter[] {
  return splitIntoChunks(payers).map((chunk) => ({
    address: token,
    topics: [AUTHORIZATION_TOPIC, chunk.map(toTopic)],
  }));
}
