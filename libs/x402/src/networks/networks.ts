/** Properties of one network. An omitted flag is false. */
export interface Network {
  /** Name shown to people. Pages show the CAIP-2 id of a network without a name. */
  readonly name?: string;
  /** Network name in version 1 of the protocol, in lower case. */
  readonly v1Name?: string;
  /** True when the last version 1 client (x402 1.2) accepts this network. That client has a closed list of networks. */
  readonly isInV1Client?: true;
  /**
   * True when the version 1 client's table has the USDC address of this network in lower case. That client compares
   * addresses case-sensitively.
   */
  readonly isUsdcLowerCaseInV1Client?: true;
  /** True for a test network. Its tokens have no value. */
  readonly isTestnet?: true;
  /**
   * True when the CDP facilitator settles payments on this network. The CDP directory may then list endpoints on the
   * network.
   */
  readonly isSettledByCdp?: true;
  /**
   * Number of later blocks that must exist before a block is read. The number need only cover usual reorgs: after a
   * deeper reorg, the transfers from replaced blocks are deleted. Solana needs no number, because its blocks are read
   * when they are finalized.
   */
  readonly confirmations?: number;
}

/**
 * Every network known to this project, by CAIP-2 id. To add a network, add one row here.
 *
 * Sources of version 1 names: x402 v1 specification; network tables of the reference clients x402 1.2, @x402/evm 2.x
 * and @x402/svm 2.x. Sources of test networks: registry of EVM chains (ethereum-lists/chains), CAIP-2 profiles of the
 * other namespaces, and the same client tables. Source of networks settled by CDP: CDP documentation.
 */
export const NETWORKS = {
  // Ethereum creates a block every 12 seconds. Most reorgs are one or two blocks deep; one was seven blocks deep (May
  // 2022).
  'eip155:1': { name: 'Ethereum', v1Name: 'ethereum', confirmations: 12 },
  'eip155:17000': { isTestnet: true },
  'eip155:560048': { isTestnet: true },
  'eip155:11155111': { name: 'Ethereum Sepolia', v1Name: 'sepolia', isTestnet: true },

  // Base creates a block every two seconds. A failover of its sequencer can replace blocks that were already published.
  'eip155:8453': {
    name: 'Base',
    v1Name: 'base',
    isInV1Client: true,
    isSettledByCdp: true,
    confirmations: 12,
  },
  'eip155:84532': {
    name: 'Base Sepolia',
    v1Name: 'base-sepolia',
    isInV1Client: true,
    isTestnet: true,
    isSettledByCdp: true,
    confirmations: 12,
  },

  // Polygon finalizes blocks within seconds since the upgrade Heimdall 2. Earlier reorgs replaced dozens of blocks.
  'eip155:137': {
    name: 'Polygon',
    v1Name: 'polygon',
    isInV1Client: true,
    isUsdcLowerCaseInV1Client: true,
    isSettledByCdp: true,
    confirmations: 64,
  },
  'eip155:80002': {
    name: 'Polygon Amoy',
    v1Name: 'polygon-amoy',
    isInV1Client: true,
    isTestnet: true,
    isSettledByCdp: true,
    confirmations: 64,
  },

  // Arbitrum creates four blocks per second, so 96 blocks take as long as 12 blocks on Base.
  'eip155:42161': { name: 'Arbitrum One', isSettledByCdp: true, confirmations: 96 },
  'eip155:421614': { isTestnet: true, isSettledByCdp: true, confirmations: 96 },

  // Avalanche, Sei and Monad finalize a block after one or two blocks. One more confirmation covers RPC providers that
  // lag behind.
  'eip155:43114': { name: 'Avalanche', v1Name: 'avalanche', isInV1Client: true, confirmations: 3 },
  'eip155:43113': {
    name: 'Avalanche Fuji',
    v1Name: 'avalanche-fuji',
    isInV1Client: true,
    isTestnet: true,
    confirmations: 3,
  },
  'eip155:1329': {
    name: 'Sei',
    v1Name: 'sei',
    isInV1Client: true,
    isUsdcLowerCaseInV1Client: true,
    confirmations: 3,
  },
  'eip155:1328': {
    name: 'Sei testnet',
    v1Name: 'sei-testnet',
    isInV1Client: true,
    isUsdcLowerCaseInV1Client: true,
    isTestnet: true,
    confirmations: 3,
  },
  'eip155:143': { name: 'Monad', v1Name: 'monad', confirmations: 3 },
  'eip155:10143': { isTestnet: true },

  // Other EVM networks, sorted by chain id.
  'eip155:10': { name: 'Optimism' },
  'eip155:14': { name: 'Flare', v1Name: 'flare' },
  'eip155:50': {},
  'eip155:51': { isTestnet: true },
  'eip155:56': { name: 'BNB Chain' },
  'eip155:97': { isTestnet: true },
  'eip155:100': { name: 'Gnosis' },
  'eip155:114': { isTestnet: true },
  'eip155:196': {},
  'eip155:480': { isSettledByCdp: true },
  'eip155:988': { name: 'Stable', v1Name: 'stable' },
  'eip155:1315': { isTestnet: true },
  'eip155:1514': { name: 'Story', v1Name: 'story', isInV1Client: true },
  'eip155:2201': { name: 'Stable testnet', v1Name: 'stable-testnet', isTestnet: true },
  'eip155:2741': {
    name: 'Abstract',
    v1Name: 'abstract',
    isInV1Client: true,
    isUsdcLowerCaseInV1Client: true,
  },
  'eip155:3338': { name: 'Peaq', v1Name: 'peaq', isInV1Client: true },
  'eip155:4326': { name: 'MegaETH', v1Name: 'megaeth' },
  'eip155:4689': { name: 'IoTeX', v1Name: 'iotex', isInV1Client: true },
  'eip155:4690': { isTestnet: true },
  'eip155:4801': { isTestnet: true, isSettledByCdp: true },
  'eip155:11124': {
    name: 'Abstract testnet',
    v1Name: 'abstract-testnet',
    isInV1Client: true,
    isTestnet: true,
  },
  'eip155:31611': { isTestnet: true },
  'eip155:31612': {},
  'eip155:36900': {},
  'eip155:38833': {},
  'eip155:41923': { name: 'EDU Chain', v1Name: 'educhain', isInV1Client: true },
  'eip155:42220': { name: 'Celo', v1Name: 'celo' },
  'eip155:44787': { isTestnet: true },
  'eip155:72344': { isTestnet: true },
  'eip155:181228': { isTestnet: true },
  'eip155:190415': {},
  'eip155:656476': { isTestnet: true },
  'eip155:723487': {},
  'eip155:11142220': { isTestnet: true },
  'eip155:11155420': { isTestnet: true },
  'eip155:324705682': {
    name: 'SKALE Base Sepolia',
    v1Name: 'skale-base-sepolia',
    isInV1Client: true,
    isTestnet: true,
  },

  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': {
    name: 'Solana',
    v1Name: 'solana',
    isInV1Client: true,
    isSettledByCdp: true,
  },
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': {
    name: 'Solana devnet',
    v1Name: 'solana-devnet',
    isInV1Client: true,
    isTestnet: true,
    isSettledByCdp: true,
  },
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z': {
    name: 'Solana testnet',
    v1Name: 'solana-testnet',
    isTestnet: true,
  },

  'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k': {},
  'algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe': { isTestnet: true },
  'stellar:pubnet': {},
  'stellar:testnet': { isTestnet: true },
  'hedera:testnet': { isTestnet: true },
} as const satisfies Readonly<Record<`${string}:${string}`, Network>>;

/** CAIP-2 id of a network in the table. */
export type NetworkId = keyof typeof NETWORKS;

// Maps instead of objects: a network named "__proto__" or "constructor" must not find a member of the prototype.
const byId = new Map<string, Network>(Object.entries(NETWORKS));
const idByV1Name = new Map(
  [...byId].flatMap(([id, { v1Name }]) => (v1Name === undefined ? [] : [[v1Name, id] as const])),
);

/** Returns the properties of a network; null for a CAIP-2 id that is not in the network table. */
export function findNetwork(caip2: string): Network | null {
  return byId.get(caip2) ?? null;
}

/** Returns the name of a network for people; null when the network table has no name for this CAIP-2 id. */
export function getNetworkName(caip2: string): string | null {
  return byId.get(caip2)?.name ?? null;
}

/**
 * Converts a version 1 network name to a CAIP-2 id.
 *
 * @param network a version 1 name in any case, or other text
 * @returns CAIP-2 id for a known name; other text unchanged
 */
export function toCaip2(network: string): string {
  return idByV1Name.get(network.toLowerCase()) ?? network;
}

/** Returns true for a version 1 network name in lower case. */
export function isV1Name(network: string): boolean {
  return idByV1Name.has(network);
}

/** Returns true for a network name that the last version 1 client accepts. */
export function isInV1Client(network: string): boolean {
  const id = idByV1Name.get(network);
  return id !== undefined && byId.get(id)?.isInV1Client === true;
}

/** Returns true for the CAIP-2 id of a network with a version 1 name. */
export function hasV1Name(caip2: string): boolean {
  return byId.get(caip2)?.v1Name !== undefined;
}

/** Returns true for the CAIP-2 id of a test network; false for an unknown network. */
export function isTestnet(caip2: string): boolean {
  return byId.get(caip2)?.isTestnet === true;
}

/** Returns true for the CAIP-2 id of a network on which the CDP facilitator settles payments. */
export function isCdpNetwork(caip2: string): boolean {
  return byId.get(caip2)?.isSettledByCdp === true;
}
