import { pad, parseAbi, toEventSelector, type Hex } from 'viem';

const [TRANSFER, AUTHORIZATION_USED] = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
]);

/** First topic of the event Transfer (ERC-20). */
export const TRANSFER_TOPIC = toEventSelector(TRANSFER);
/** First topic of the event AuthorizationUsed (EIP-3009). */
export const AUTHORIZATION_TOPIC = toEventSelector(AUTHORIZATION_USED);

/** Maximum number of values in one position of a filter. geth and erigon accept 1,000, which leaves room for known logs. */
const MAX_FILTER_VALUES = 900;

/** Filter of `eth_getLogs` without its range. The first topic is one event; a null topic matches any value. */
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

/** Converts an address to a topic. */
function toTopic(address: Hex): Hex {
  return pad(address, { size: 32 });
}

/** Converts a topic to an address; null when the value is wider than an address. */
export function toAddress(topic: Hex): Hex | null {
  return topic.startsWith('0x000000000000000000000000') ? `0x${topic.slice(26)}` : null;
}

/**
 * Creates filters for all transfers of a token to any of the wallets.
 * @param wallets any number of addresses in lower case
 */
export function createTransferFilters(token: Hex, wallets: readonly Hex[]): LogFilter[] {
  return splitIntoChunks(wallets).map((chunk) => ({
    address: token,
    topics: [TRANSFER_TOPIC, null, chunk.map(toTopic)],
  }));
}

/**
 * Creates filters for all used authorizations of any of the payers.
 * @param payers any number of addresses in lower case
 */
export function createAuthorizationFilters(token: Hex, payers: readonly Hex[]): LogFilter[] {
  return splitIntoChunks(payers).map((chunk) => ({
    address: token,
    topics: [AUTHORIZATION_TOPIC, chunk.map(toTopic)],
  }));
}
