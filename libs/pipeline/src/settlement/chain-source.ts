import { setTimeout as sleep } from 'node:timers/promises';
import { createProviders, type Providers } from '@touchstone/chain';

/** Network whose settlements are read. */
export interface ChainSource {
  readonly providers: Providers;
  /** Number of confirmations; the network's own by default, 0 for a private chain without reorgs. */
  readonly confirmations?: number;
}

/**
 * Creates the sources of the configured networks without sending a request. Keep them between runs: they remember which
 * provider requested a pause.
 *
 * @param rpcUrls RPC URLs by CAIP-2 id, in order of preference
 */
export function createChainSources(
  rpcUrls: ReadonlyMap<string, readonly string[]>,
  options: Pick<ChainSource, 'confirmations'> = {},
): readonly ChainSource[] {
  return [...rpcUrls].map(([network, urls]) => ({
    ...options,
    providers: createProviders({
      network,
      urls,
      fetch: globalThis.fetch,
      sleep: (ms) => sleep(ms),
      now: Date.now,
    }),
  }));
}
