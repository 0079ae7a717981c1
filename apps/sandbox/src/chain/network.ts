import { defineChain, type Address, type Chain, type Hex } from 'viem';
import { baseSepoliaUsdcCode, sandboxUsdcCode } from './contracts.generated.ts';

/**
 * Network with a local chain. Its values are written here and not imported from the network table of `libs/x402`. So a
 * test fails if a row of that table is wrong. The sandbox needs rows only for networks on which it simulates endpoints.
 */
export interface ChainNetwork {
  /** CAIP-2 id. */
  readonly id: `eip155:${number}`;
  /** Network name in x402 v1. */
  readonly v1Name: string;
  /** Chain id and properties of the network for viem clients. */
  readonly viemChain: Chain;
  /** Address of USDC on the real network (x402 exact scheme, default assets). The sandbox's token has the same address. */
  readonly usdc: Address;
  /** Runtime code of the sandbox's token. The token must have the same EIP-712 domain as USDC on the real network. */
  readonly usdcCode: Hex;
}

/** Address of Multicall3, which is the same on every chain. */
export const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';

/**
 * Defines a chain for viem clients. The definitions of `viem/chains` are not used: importing them loads about 700 modules,
 * which takes a third of the start of the sandbox.
 */
function defineLocalChain(id: number, name: string, currency: string): Chain {
  return defineChain({
    id,
    name,
    nativeCurrency: { name: currency, symbol: currency, decimals: 18 },
    rpcUrls: { default: { http: [] } },
    contracts: { multicall3: { address: MULTICALL } },
  });
}

/**
 * Networks of the simulated endpoints. Every sandbox runs one local chain for each of these networks, with the chain id
 * of the network. So standard x402 clients can pay without changes. To simulate endpoints on another network, add one
 * row.
 */
export const CHAIN_NETWORKS = [
  {
    id: 'eip155:8453',
    v1Name: 'base',
    viemChain: defineLocalChain(8453, 'Base', 'ETH'),
    usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    usdcCode: sandboxUsdcCode,
  },
  {
    id: 'eip155:137',
    v1Name: 'polygon',
    viemChain: defineLocalChain(137, 'Polygon', 'POL'),
    usdc: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    usdcCode: sandboxUsdcCode,
  },
] as const satisfies readonly ChainNetwork[];

export const BASE = CHAIN_NETWORKS[0];

/**
 * Base Sepolia, a test network. The sandbox starts a chain for it only if the service sells there (`SANDBOX_NETWORK`),
 * because no simulated endpoint accepts payments on Base Sepolia.
 */
export const BASE_SEPOLIA = {
  id: 'eip155:84532',
  v1Name: 'base-sepolia',
  viemChain: defineLocalChain(84_532, 'Base Sepolia', 'ETH'),
  usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  usdcCode: baseSepoliaUsdcCode,
} as const satisfies ChainNetwork;

/** CAIP-2 ids of the networks on which the service can sell. */
export const SALES_NETWORK_IDS = [BASE.id, BASE_SEPOLIA.id] as const;
export type SalesNetworkId = (typeof SALES_NETWORK_IDS)[number];

/** Lists the networks for which the sandbox starts a chain. @param salesNetwork network on which the service sells */
export function listChainNetworks(salesNetwork: SalesNetworkId): readonly ChainNetwork[] {
  return salesNetwork === BASE_SEPOLIA.id ? [...CHAIN_NETWORKS, BASE_SEPOLIA] : CHAIN_NETWORKS;
}

/**
 * Account that owns the sandbox's token and can mint it. The private key is unknown, so the node sends this account's
 * transactions by impersonation.
 */
export const OWNER = '0x00000000000000000000000000000000000c0171';
