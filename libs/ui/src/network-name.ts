/** Names people know, by CAIP-2 id, of the networks x402 version 1 names. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['eip155:1', 'Ethereum'],
  ['eip155:10', 'Optimism'],
  ['eip155:14', 'Flare'],
  ['eip155:56', 'BNB Chain'],
  ['eip155:100', 'Gnosis'],
  ['eip155:137', 'Polygon'],
  ['eip155:143', 'Monad'],
  ['eip155:988', 'Stable'],
  ['eip155:1328', 'Sei testnet'],
  ['eip155:1329', 'Sei'],
  ['eip155:1514', 'Story'],
  ['eip155:2201', 'Stable testnet'],
  ['eip155:2741', 'Abstract'],
  ['eip155:3338', 'Peaq'],
  ['eip155:4326', 'MegaETH'],
  ['eip155:4689', 'IoTeX'],
  ['eip155:8453', 'Base'],
  ['eip155:11124', 'Abstract testnet'],
  ['eip155:41923', 'EDU Chain'],
  ['eip155:42161', 'Arbitrum One'],
  ['eip155:42220', 'Celo'],
  ['eip155:43113', 'Avalanche Fuji'],
  ['eip155:43114', 'Avalanche'],
  ['eip155:80002', 'Polygon Amoy'],
  ['eip155:84532', 'Base Sepolia'],
  ['eip155:11155111', 'Ethereum Sepolia'],
  ['eip155:324705682', 'SKALE Base Sepolia'],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'Solana'],
  ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'Solana devnet'],
  ['solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z', 'Solana testnet'],
]);

/**
 * What people call a network.
 *
 * @param network A CAIP-2 id such as `eip155:8453`, or whatever an endpoint advertised in its place.
 * @returns The name; null when the network is not one this project can name.
 */
export function networkName(network: string): string | null {
  return NAMES.get(network) ?? null;
}
