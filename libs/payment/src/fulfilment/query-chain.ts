import { ChainUnreadableError, type Providers } from '@touchstone/chain';

/** Timeout of a chain query while a buyer waits and a lease runs, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Queries the chain with a timeout, for a request that waits. A query that is still running is ignored.
 * @throws ChainUnreadableError also after the timeout
 */
export const queryChain = async <T>(
  chain: Providers,
  query: (chain: Providers) => Promise<T>,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<T> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const timeout = new Promise<never>((_, reject) => {
    const fail = () => reject(new ChainUnreadableError(chain.network, ['no response in time']));
    signal.addEventListener('abort', fail, { once: true });
  });
  return Promise.race([query(chain), timeout]);
};
