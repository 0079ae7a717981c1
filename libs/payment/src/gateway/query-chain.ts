import { ChainUnreadableError, readNewestBlock, type Providers } from '@touchstone/chain';

/** Default timeout of a chain query in milliseconds. The timeout is short because a buyer waits and a lease runs. */
const DEFAULT_TIMEOUT_MS = 10_000;

/** Time after a failed query in which the chain counts as unreadable, in milliseconds. */
const FAILURE_MS = 60_000;

/** Time of the last query of each network that failed, by `performance.now()`. A later success deletes the time. */
const failures = new WeakMap<Providers, number>();

/**
 * Returns true if the last query of this process failed less than a minute ago. The function makes no query, so health
 * checks cause no RPC calls.
 */
export function isChainFailing(chain: Providers): boolean {
  return performance.now() - (failures.get(chain) ?? -Infinity) < FAILURE_MS;
}

/**
 * Waits for the result of a chain query. After the timeout, the query continues and its result is ignored.
 * @throws ChainUnreadableError when the chain cannot be read, or after the timeout
 */
export function waitForChain<T>(chain: Providers, query: Promise<T>, timeoutMs: number): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  const timeout = new Promise<never>((_, reject) => {
    const fail = () => reject(new ChainUnreadableError(chain.network, ['no response in time']));
    signal.addEventListener('abort', fail, { once: true });
  });
  return Promise.race([query, timeout]);
}

/**
 * Queries the chain with a timeout while a request waits, and remembers a failed query.
 * @throws ChainUnreadableError when the chain cannot be read, or after the timeout
 */
export async function queryChain<T>(
  chain: Providers,
  query: (chain: Providers) => Promise<T>,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<T> {
  try {
    const result = await waitForChain(chain, query(chain), timeoutMs);
    failures.delete(chain);
    return result;
  } catch (error) {
    if (error instanceof ChainUnreadableError) failures.set(chain, performance.now());
    throw error;
  }
}

/**
 * Time for which the result of a chain check is reused, in milliseconds. The reuse keeps the number of RPC calls low.
 */
const MAX_CHECK_AGE_MS = 2_000;
/** Time in which a provider must respond to the chain check, in milliseconds. */
const CHECK_TIMEOUT_MS = 3_000;

/**
 * Creates a function that resolves to false when no provider of the network responds. Concurrent and repeated calls
 * share one query.
 */
export function createChainCheck(chain: Providers, now: () => number): () => Promise<boolean> {
  let lastCheck: { readonly at: number; readonly isReadable: Promise<boolean> } | null = null;
  return () => {
    // The clock may have been set back since the last check.
    if (lastCheck === null || Math.abs(now() - lastCheck.at) > MAX_CHECK_AGE_MS) {
      const isReadable = queryChain(chain, readNewestBlock, CHECK_TIMEOUT_MS).then(
        () => true,
        () => false,
      );
      lastCheck = { at: now(), isReadable };
    }
    return lastCheck.isReadable;
  };
}
