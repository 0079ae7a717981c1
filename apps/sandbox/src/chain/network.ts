import type { Address, Chain } from 'viem';
import { base, polygon } from 'viem/chains';

/** Network on which endpoints of the sandbox can be paid. The sandbox runs one local chain for each network. */
export interface ChainNetwork {
  /** CAIP-2 id. */
  readonly id: `eip155:${number}`;
  /** Network name in x402 v1. */
  readonly v1Name: string;
  /** Chain id and properties of the network for viem clients. */
  readonly viemChain: Chain;
  /**
   * Address of USDC on the real network (x402 exact scheme, default assets). The sandbox's token has the same address.
   * The EIP-712 domain of the real token must be "USD Coin" version "2", because contracts/SandboxUSDC.sol has it.
   */
  readonly usdc: Address;
  /** Prefix of the chain's file names in the data folder. */
  readonly filePrefix: string;
}

/**
 * All networks that have a chain. Each chain has the chain id of its network, so that standard x402 clients can pay
 * there without changes. To add a network, add one row.
 */
export const CHAIN_NETWORKS = [
  {
    id: 'eip155:8453',
    v1Name: 'base',
    viemChain: base,
    usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    // Data folders of earlier versions have files with this prefix, so it has no chain id.
    filePrefix: 'chain',
  },
  {
    id: 'eip155:137',
    v1Name: 'polygon',
    viemChain: polygon,
    usdc: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    filePrefix: 'chain-137',
  },
] as const satisfies readonly ChainNetwork[];

/** Base, the only network in data folders of earlier versions. */
export const BASE = CHAIN_NETWORKS[0];

/** Address of Multicall3, which is the same on every chain. */
export const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';
/**
 * Account that owns the sandbox's token and can mint it. The private key is unknown, so the node sends this account's
 * transactions by impersonation.
 */
export const OWNER = '0x00000000000000000000000000000000000c0171';
