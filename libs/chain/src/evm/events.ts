import { pad, parseAbi, toEventSelector, type Hex } from 'viem';

const [TRANSFER, AUTHORIZATION_USED] = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
]);

/** First topic of ERC-20's Transfer. */
export const TRANSFER_TOPIC = toEventSelector(TRANSFER);
/** First topic of EIP-3009's AuthorizationUsed. */
export const AUTHORIZATION_TOPIC = toEventSelector(AUTHORIZATION_USED);

/** geth and erigon take 1,000 values in one place of a filter; some room is left. */
const VALUES_IN_A_FILTER = 900;

/** What eth_getLogs is asked for, without its range. The first topic is one event; a null takes any value. */
export interface LogFilter {
  readonly address: Hex;
  readonly topics: readonly [Hex, ...(readonly Hex[] | null)[]];
}

function chunksOf<T>(values: readonly T[]): T[][] {
  const count = Math.ceil(values.length / VALUES_IN_A_FILTER);
  return Array.from({ length: count }, (_, i) =>
    values.slice(i * VALUES_IN_A_FILTER, (i + 1) * VALUES_IN_A_FILTER),
  );
}

/** An address as a topic holds it. */
function toTopic(address: Hex): Hex {
  return pad(address, { size: 32 });
}

/** The address in a topic; null where the topic is wider than an address. */
export function toAddress(topic: Hex): Hex | null {
  return topic.startsWith('0x000000000000000000000000') ? `0x${topic.slice(26)}` : null;
}

/**
 * Filters for every transfer of a token to any of the wallets.
 * @param wallets addresses in lower case, however many
 */
export function createTransferFilters(token: Hex, wallets: readonly Hex[]): LogFilter[] {
  return chunksOf(wallets).map((chunk) => ({
    address: token,
    topics: [TRANSFER_TOPIC, null, chunk.map(toTopic)],
  }));
}

/**
 * Filters for every authorization that any of the payers signed and somebody used.
 * @param payers addresses in lower case, however many
 */
export function createAuthorizationFilters(token: Hex, payers: readonly Hex[]): LogFilter[] {
  return chunksOf(payers).map((chunk) => ({
    address: token,
    topics: [AUTHORIZATION_TOPIC, chunk.map(toTopic)],
  }));
}
