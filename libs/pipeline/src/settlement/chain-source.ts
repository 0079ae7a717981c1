import { setTimeout as sleep } from 'node:timers/promises';
import { createProviders, type Providers } from '@touchstone/chain';

/** Blockchain network whose settlements are read. */
export interface ChainSource {
  readonly providers: Providers;
  /**
   * Number of required block confirmations. By default, it depends on the network; 0 suits a private chain without
   * reorgs.
   */
  readonly confirmations?: number;
}

/**
 * Creates the RPC access to the configured networks, without sending a request. Keep the result between runs, because
 * it stores which RPC provider requested a pause.
 *
 * @param rpcUrls RPC URLs of each network in order of preference, by the CAIP-2 id of the network
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
