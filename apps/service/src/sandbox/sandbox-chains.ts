import { createChainSources, type ChainSource } from '@touchstone/pipeline';
import { BASE_NETWORK } from '../config/base-network.ts';
import type { Sandbox } from './start-sandbox.ts';

/**
 * Creates the source from which settlements on the sandbox's chain are read. The chain has the network id of Base.
 * Returns an empty list when the sandbox has no chain. Zero confirmations are enough, because the chain has a single
 * node that never replaces a block.
 */
export function createSandboxChains({ chain }: Pick<Sandbox, 'chain'>): readonly ChainSource[] {
  if (chain === null) return [];
  return createChainSources(new Map([[BASE_NETWORK, [chain.rpcUrl]]]), { confirmations: 0 });
}
