import { createChainSources, type ChainSource } from '@touchstone/pipeline';
import type { Sandbox } from './start-sandbox.ts';

/**
 * Creates the sources from which settlements on the sandbox's chains are read. Returns an empty list when the sandbox
 * has no chains. Zero confirmations are enough, because each chain has a single node that never replaces a block.
 */
export function createSandboxChains({ chains }: Pick<Sandbox, 'chains'>): readonly ChainSource[] {
  const rpcUrls = Object.entries(chains?.rpcUrls ?? {}).map(([network, url]) => [network, [url]] as const);
  return createChainSources(new Map(rpcUrls), { confirmations: 0 });
}
