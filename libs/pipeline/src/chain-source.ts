import { setTimeout as sleep } from 'node:timers/promises';
import { createProviders, type Providers } from '@touchstone/chain';

/** A network whose settlements are read. */
export interface ChainSource {
  readonly providers: Providers;
  /** Instead of those of the network: 0 for a chain of one's own that replaces no blocks. */
  readonly confirmations?: number;
}

/**
 * Opens the networks that are configured. No request is made yet. To be kept from run to run: it remembers which
 * provider asked to be left alone.
 *
 * @param rpcUrls RPC URLs by CAIP-2 id, in the order in which they are preferred
 */
export function chainSources(
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
