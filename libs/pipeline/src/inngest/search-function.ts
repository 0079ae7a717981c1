import type { Inngest } from 'inngest';
import type { Job } from '../jobs.ts';
import { embedBatch } from '../search/embed-batch.ts';
import { countBatch, refreshInBatches } from '../search/refresh-search.ts';
import { createCronOptions, createStepSignal, type OpenContext } from './function-options.ts';

/**
 * Creates the function that embeds new texts and counts better alternatives every minute, with one step per batch. A
 * run has at most 80 steps.
 */
export function createSearchFunction(client: Inngest, job: Job, openContext: OpenContext) {
  return client.createFunction(
    { ...createCronOptions(job), retries: 2, timeouts: { start: '1m', finish: '30m' } },
    ({ step }) =>
      refreshInBatches({
        embed: (number) =>
          step.run(`embed batch ${number}`, async () =>
            embedBatch(await openContext(), { signal: createStepSignal() }),
          ),
        count: (number) => step.run(`count batch ${number}`, async () => countBatch(await openContext())),
      }),
  );
}
