import { MINUTE_MS } from '@touchstone/common';
import { readChainFault, type ChainSource, type Job } from '@touchstone/pipeline';
import type { Print } from '../processes/supervisor.ts';

/**
 * Maximum age of the newest block of a public network, in milliseconds. The supported EVM networks make a block every
 * few seconds.
 */
export const MAX_BLOCK_AGE_MS = 5 * MINUTE_MS;

export interface ChainWatchOptions {
  readonly chains: readonly ChainSource[];
  /** Maximum age of the newest block, in milliseconds; null for chains that make blocks on demand. */
  readonly maxBlockAgeMs: number | null;
  readonly print: Print;
}

/**
 * Creates a job that checks every chain each minute. The job prints a line when a chain does not respond or its newest
 * block is too old. It prints another line when the chain works again.
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
      // A run that returns 0 is not logged, because the log skips empty runs.
      return { faulty: faulty.size };
    },
  };
}
