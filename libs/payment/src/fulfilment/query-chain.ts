import { ChainUnreadableError, type Providers } from '@touchstone/chain';

/** Default timeout of a chain query in milliseconds. It is short because a buyer waits and a lease runs. */
const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Queries the chain with a timeout while a request waits. After the timeout, the query continues and its result is
 * ignored.
 * @throws ChainUnreadableError when the chain cannot be read, or after the timeout
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
