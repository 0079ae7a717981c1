import { checkPayToFormat } from './address.ts';
import type { NetworkId } from './network-table.ts';

/**
 * Block explorers by CAIP-2 id of their network. The page of an account is at `/address/` and the address, and the page of
 * a transaction at `/tx/` and the hash, before the query of the URL. Sources: `blockExplorers` of viem, and the explorer of the Solana Foundation.
 */
const BLOCK_EXPLORERS: Readonly<Partial<Record<NetworkId, string>>> = {
  'eip155:1': 'https://etherscan.io',
  'eip155:11155111': 'https://sepolia.etherscan.io',
  'eip155:8453': 'https://basescan.org',
  'eip155:84532': 'https://sepolia.basescan.org',
  'eip155:137': 'https://polygonscan.com',
  'eip155:80002': 'https://amoy.polygonscan.com',
  'eip155:42161': 'https://arbiscan.io',
  'eip155:421614': 'https://sepolia.arbiscan.io',
  'eip155:43114': 'https://snowtrace.io',
  'eip155:43113': 'https://testnet.snowtrace.io',
  'eip155:1329': 'https://seiscan.io',
  'eip155:1328': 'https://testnet.seiscan.io',
  'eip155:143': 'https://monadscan.com',
  'eip155:10': 'https://optimistic.etherscan.io',
  'eip155:14': 'https://flare-explorer.flare.network',
  'eip155:56': 'https://bscscan.com',
  'eip155:100': 'https://gnosisscan.io',
  'eip155:196': 'https://www.oklink.com/xlayer',
  'eip155:480': 'https://worldscan.org',
  'eip155:988': 'https://stablescan.xyz',
  'eip155:2741': 'https://abscan.org',
  'eip155:4326': 'https://mega.etherscan.io',
  'eip155:4689': 'https://iotexscan.io',
  'eip155:42220': 'https://celoscan.io',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'https://explorer.solana.com',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'https://explorer.solana.com?cluster=devnet',
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z': 'https://explorer.solana.com?cluster=testnet',
};

// A map instead of the object: a network named "__proto__" or "constructor" must not find a member of the prototype.
const explorerById = new Map<string, string>(Object.entries(BLOCK_EXPLORERS));

/**
 * Returns the URL of an address in the block explorer of its network; null without a known explorer, and for text that is
 * not an address of the network.
 *
 * @param network CAIP-2 id
 */
export function toExplorerUrl(network: string, address: string): string | null {
  return checkPayToFormat(network, address) === 'valid' ? toPageUrl(network, `address/${address}`) : null;
}

/**
 * Returns the URL of a transaction in the block explorer of its EVM network; null without a known explorer, and for text
 * that is not the hash of a transaction.
 *
 * @param network CAIP-2 id
 */
export function toTransactionUrl(network: string, transaction: string): string | null {
  return network.startsWith('eip155:') && /^0x[0-9a-f]{64}$/i.test(transaction)
    ? toPageUrl(network, `tx/${transaction}`)
    : null;
}

function toPageUrl(network: string, path: string): string | null {
  const explorer = explorerById.get(network);
  if (explorer === undefined) return null;
  const url = new URL(explorer);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
  return url.href;
}
