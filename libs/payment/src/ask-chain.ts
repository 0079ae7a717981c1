import { ChainUnreadable, type Providers } from '@touchstone/chain';

/** A buyer waits for the answer, and a lease is running. */
const PATIENCE_MS = 10_000;

/**
 * Asks the chain while a request waits for it. Providers that rest or dawdle are waited for by nobody.
 * @throws ChainUnreadable also where there is no answer within ten seconds
 */
export const askChain = async <T>(
  chain: Providers,
  ask: (chain: Providers) => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const lost = () => reject(new ChainUnreadable(chain.network, ['no answer in time']));
    timer = setTimeout(lost, patienceMs);
  });
  try {
    return await Promise.race([ask(chain), late]);
  } finally {
    clearTimeout(timer);
  }
};
