interface NamedNetwork {
  /** The name version 1 of the protocol calls the network by. */
  readonly name: string;
  readonly caip2: string;
  /** True for the names in the closed list of the last version 1 client; it refuses every other. */
  readonly inV1Client: boolean;
}

function row(name: string, caip2: string, inV1Client: boolean): NamedNetwork {
  return { name, caip2, inV1Client };
}

/** Source: x402 v1 specification, and the network tables of the reference clients x402 1.2 and @x402/evm, svm 2.x. */
const NAMED_NETWORKS: readonly NamedNetwork[] = [
  row('base', 'eip155:8453', true),
  row('base-sepolia', 'eip155:84532', true),
  row('polygon', 'eip155:137', true),
  row('polygon-amoy', 'eip155:80002', true),
  row('avalanche', 'eip155:43114', true),
  row('avalanche-fuji', 'eip155:43113', true),
  row('sei', 'eip155:1329', true),
  row('sei-testnet', 'eip155:1328', true),
  row('abstract', 'eip155:2741', true),
  row('abstract-testnet', 'eip155:11124', true),
  row('iotex', 'eip155:4689', true),
  row('peaq', 'eip155:3338', true),
  row('story', 'eip155:1514', true),
  row('educhain', 'eip155:41923', true),
  row('skale-base-sepolia', 'eip155:324705682', true),
  row('solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', true),
  row('solana-devnet', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', true),
  row('solana-testnet', 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z', false),
  row('ethereum', 'eip155:1', false),
  row('sepolia', 'eip155:11155111', false),
  row('megaeth', 'eip155:4326', false),
  row('monad', 'eip155:143', false),
  row('stable', 'eip155:988', false),
  row('stable-testnet', 'eip155:2201', false),
  row('celo', 'eip155:42220', false),
  row('flare', 'eip155:14', false),
];

/**
 * Networks whose money is play money. Sources: the registry of EVM chains (ethereum-lists/chains), the CAIP-2
 * profiles of the other namespaces, the network tables of the reference clients.
 */
const TESTNETS = new Set([
  'eip155:51',
  'eip155:97',
  'eip155:114',
  'eip155:1315',
  'eip155:1328',
  'eip155:2201',
  'eip155:4690',
  'eip155:4801',
  'eip155:10143',
  'eip155:11124',
  'eip155:17000',
  'eip155:31611',
  'eip155:43113',
  'eip155:44787',
  'eip155:72344',
  'eip155:80002',
  'eip155:84532',
  'eip155:181228',
  'eip155:421614',
  'eip155:560048',
  'eip155:656476',
  'eip155:11142220',
  'eip155:11155111',
  'eip155:11155420',
  'eip155:324705682',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
  'algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe',
  'stellar:testnet',
  'hedera:testnet',
]);

/** Networks the facilitator of CDP settles on, whose directory lists what it settles. Source: CDP documentation. */
const CDP_NETWORKS = new Set([
  'eip155:137',
  'eip155:480',
  'eip155:4801',
  'eip155:8453',
  'eip155:42161',
  'eip155:80002',
  'eip155:84532',
  'eip155:421614',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
]);

// Maps, not objects: a network called "__proto__" or "constructor" must be as unknown as any other.
const byName = new Map(NAMED_NETWORKS.map((network) => [network.name, network]));
const caip2Ids = new Set(NAMED_NETWORKS.map((network) => network.caip2));

/**
 * The CAIP-2 id of a network.
 *
 * @param network a version 1 name in any case, or anything else
 * @returns the id of a known name, else the text as it was given
 */
export function caip2Of(network: string): string {
  return byName.get(network.toLowerCase())?.caip2 ?? network;
}

/** True for a network name of version 1, spelled exactly. */
export function isV1Name(network: string): boolean {
  return byName.has(network);
}

/** True for a name the last version 1 client accepts. */
export function isInV1Client(network: string): boolean {
  return byName.get(network)?.inV1Client === true;
}

/** True for a CAIP-2 id that version 1 has a name for. */
export function isNamedNetwork(caip2: string): boolean {
  return caip2Ids.has(caip2);
}

/** True for a CAIP-2 id of a network whose tokens are worth nothing; false for one that is not known. */
export function isTestnet(caip2: string): boolean {
  return TESTNETS.has(caip2);
}

/** True for a CAIP-2 id the facilitator of the CDP directory settles on. */
export function isCdpNetwork(caip2: string): boolean {
  return CDP_NETWORKS.has(caip2);
}
