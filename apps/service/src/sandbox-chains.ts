import { chainSources, type ChainSource } from '@touchstone/pipeline';
import type { Sandbox } from './start-sandbox.ts';

/**
 * The chain of the sandbox, which calls itself Base; none where it has none. It is one node without peers, which writes
 * each block down before it makes it and never makes another one in its place, so a block needs no others on top of it
 * to be believed.
 */
export function sandboxChains({ chain }: Pick<Sandbox, 'chain'>): readonly ChainSource[] {
  if (chain === null) return [];
  return chainSources(new Map([['eip155:8453', [chain.rpcUrl]]]), { confirmations: 0 });
}
