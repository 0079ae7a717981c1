import { MINUTE_MS } from '@touchstone/common';
import { readChainFault, type ChainSource, type Job } from '@touchstone/pipeline';
import type { Print } from '../processes/supervisor.ts';

/**
 * Maximum age of the newest block of a public network, in milliseconds. The EVM networks with known tokens make a block
 * every few seconds.
 */
export const MAX_BLOCK_AGE_MS = 5 * MINUTE_MS;

export interface ChainWatchOptions {
  readonly chains: readonly ChainSource[];
  /** Maximum age of the newest block, in milliseconds; null for chains that make blocks on demand. */
  readonly maxBlockAgeMs: number | null;
  readonly print: Print;
}

/**
 * Creates a job that checks each chain once a minute. It prints a line when a chain does not respond or lags, and
 * another line when the chain works again.
 */
export function createChainWatch({ chains, maxBlockAgeMs, print }: ChainWatchOptions): Job {
  const faulty = new Set<string>();
  return {
    id: 'chains',
    title: 'Check the chains',
    cron: '* * * * *',
    run: async ({ now }) => {
      for (const source of chains) {
        const { network } = source.providers;
        const fault = await readChainFault(source, { maxBlockAgeMs, now: now() });
        if (fault !== null && !faulty.has(network)) {
          faulty.add(network);
          print('chain', `${network} ${fault}; payments on it are not confirmed until it works again`);
        }
        if (fault === null && faulty.delete(network)) print('chain', `${network} works again`);
      }
      // The number is logged only while it is not 0, because empty runs are not logged.
      return { faulty: faulty.size };
    },
  };
}
