import { getNetworkName } from '@touchstone/x402/networks';
import { toPlainText } from './plain-text.ts';

/** Maximum length of a CAIP-2 id, in characters. A longer network is text from a provider. */
const MAX_NETWORK_LENGTH = 41;

/**
 * Returns the name of a network for people. The name of an unknown EVM network is its chain id, and the name of any other
 * unknown network is its CAIP-2 id.
 */
export function formatNetwork(caip2: string): string {
  const id = toPlainText(caip2, MAX_NETWORK_LENGTH);
  const chain = /^eip155:(\d+)$/.exec(id)?.[1];
  return getNetworkName(caip2) ?? (chain === undefined ? id : `EVM chain ${chain}`);
}
