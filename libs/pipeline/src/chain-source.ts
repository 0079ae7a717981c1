import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '@touchstone/common';
import { ChainUnreadableError, createProviders, readNewestBlock, type Providers } from '@touchstone/chain';
import { runUntilAborted } from './steps.ts';

// Re-exported for apps that are not allowed to import `@touchstone/chain`.
export { rpcSettingsSchema } from '@touchstone/chain';

type Provider = Parameters<Parameters<Providers['use']>[0]>[0];

/** Blockchain network whose settlements are read. */
export interface ChainSource {
  readonly providers: Providers;
  /**
   * Number of required block confirmations. The default depends on the network; 0 suits a private chain without reorgs.
   */
  readonly confirmations?: number;
}

/**
 * Creates the RPC access to the configured networks without sending a request. Callers keep the result between runs,
 * because the result stores which RPC providers requested a pause.
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

/**
 * Returns providers whose readings end when the signal is aborted. A reading then rejects immediately with
 * `ChainUnreadableError` and makes no further call. The response to its current call is ignored. Without a signal, the
 * given providers are returned.
 */
export function limitProviders(providers: Providers, signal: AbortSignal | undefined): Providers {
  if (signal === undefined) return providers;
  const { network, use } = providers;
  const limit = <Result>(run: () => Promise<Result>): Promise<Result> =>
    runUntilAborted(
      run,
      signal,
      () =>
        new ChainUnreadableError(network, ['the job reached its time limit before the providers responded']),
    );
  const limitProvider = (provider: Provider): Provider => ({
    label: provider.label,
    call: (...call) => limit(() => provider.call(...call)),
    callMany: (...calls) => limit(() => provider.callMany(...calls)),
  });
  return {
    network,
    // The signal also ends the whole reading, because a reading pauses between two attempts.
    use: (work) =>
      limit(() => use((provider, others) => work(limitProvider(provider), others.map(limitProvider)))),
  };
}

/**
 * Finds out if an EVM network cannot be read, or makes no blocks. Other networks are not checked.
 *
 * @param maxBlockAgeMs maximum age of the newest block, in milliseconds; null for a chain that makes blocks on demand
 * @returns the fault as the end of a sentence that begins with the name of the network; null without a fault
 */
export async function readChainFault(
  { providers }: ChainSource,
  { maxBlockAgeMs, now }: { readonly maxBlockAgeMs: number | null; readonly now: number },
): Promise<string | null> {
  if (!providers.network.startsWith('eip155:')) return null;
  try {
    const { at } = await readNewestBlock(providers);
    if (maxBlockAgeMs === null || now - at <= maxBlockAgeMs) return null;
    return `lags: its newest block is ${Math.floor((now - at) / MINUTE_MS)} minutes old`;
  } catch (error) {
    return `does not respond (${error instanceof Error ? error.message : String(error)})`;
  }
}
