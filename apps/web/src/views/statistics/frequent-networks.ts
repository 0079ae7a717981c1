import { toPlainText } from '@touchstone/ui';
import { findNetwork } from '@touchstone/x402';

/** Key of the networks that are counted together. It is no CAIP-2 id. */
export const OTHER_NETWORKS = 'other';
/** Key of endpoints without a network. */
export const NO_NETWORK = 'none';

/** Maximum length of a network without a name, in characters. Its id is text of a provider. */
const MAX_ID_LENGTH = 40;

/** Returns the most frequent networks with their number of endpoints, the most frequent first. */
export function findFrequentNetworks(
  networks: Readonly<Record<string, number>>,
  limit: number,
): readonly { readonly id: string; readonly count: number }[] {
  return Object.entries(networks)
    .filter(([id]) => id !== OTHER_NETWORKS && id !== NO_NETWORK)
    .map(([id, count]) => ({ id, count }))
    .sort((one, other) => other.count - one.count || one.id.localeCompare(other.id))
    .slice(0, limit);
}

/** Returns the name of a network, or its CAIP-2 id if it has no name. */
export function formatNetworkName(id: string): string {
  return findNetwork(id)?.name ?? toPlainText(id, MAX_ID_LENGTH);
}
