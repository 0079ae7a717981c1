import { readNewestBlock, type Providers } from '@touchstone/chain';
import { queryChain } from '../fulfilment/query-chain.ts';

/** Time for which a result is used again, in milliseconds, so that refused payments cannot cause many RPC calls. */
const MAX_AGE_MS = 2_000;
/** Time in which a provider must respond, in milliseconds. A buyer waits for the result. */
const TIMEOUT_MS = 3_000;

/**
 * Creates a function that resolves to false when no provider of the network responds. Concurrent and repeated calls
 * share one query.
 */
export const createChainCheck = (chain: Providers, now: () => number): (() => Promise<boolean>) => {
  let lastCheck: { readonly at: number; readonly isReadable: Promise<boolean> } | null = null;
  return () => {
    // The clock may have been set back since the last check.
    if (lastCheck === null || Math.abs(now() - lastCheck.at) > MAX_AGE_MS) {
      const isReadable = queryChain(chain, readNewestBlock, TIMEOUT_MS).then(
        () => true,
        () => false,
      );
      lastCheck = { at: now(), isReadable };
    }
    return lastCheck.isReadable;
  };
};
