import { createChainSources, type ChainSource } from '@touchstone/pipeline';
import { BASE_NETWORK } from '../config/base-network.ts';
import type { Sandbox } from './start-sandbox.ts';

/**
 * Creates the source of the sandbox's chain, which has the id of Base; an empty list without a chain. Zero confirmations
 * are enough: the chain is a single node that writes each block to a journal before mining it and never replaces a block.
 */
export function createSandboxChains({ chain }: Pick<Sandbox, 'chain'>): readonly ChainSource[] {
  if (chain === null) return [];
  return createChainSources(new Map([[BASE_NETWORK, [chain.rpcUrl]]]), { confirmations: 0 });
}
