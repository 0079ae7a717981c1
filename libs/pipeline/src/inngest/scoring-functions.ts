import type { Inngest } from 'inngest';
import type { Job } from '../jobs.ts';
import { scoreBatch } from '../scoring/score-batch.ts';
import {
  addScoreSummaries,
  EMPTY_SCORE_SUMMARY,
  queueAged,
  toScoreSummary,
} from '../scoring/score-changed.ts';
import { embedBatch } from '../search/embed-batch.ts';
import { countBatch, refreshInBatches } from '../search/refresh-search.ts';
import { refreshTotals } from '../statistics/record-statistics.ts';
import { createCronOptions, createStepSignal, type OpenContext } from './function-options.ts';

/** Number of endpoints per step. */
const BATCH_SIZE = 500;
/**
 * Maximum number of batches per run. With 240, the run of each minute can score 120,000 endpoints, which is 2,000 per
 * second and more than two database cores score (docs/scale.md). A million endpoints that are probed every half hour need
 * 33,333 scores per minute. Inngest allows 1,000 steps per run, and the results of 240 steps are at most 1 MiB of the
 * 4 MiB of a request.
 */
const MAX_BATCHES = 240;
/**
 * Maximum number of concurrent runs; each run claims its own endpoints. A new run starts every minute, but one run uses
 * one database connection, which scores 600 to 1,170 per second (docs/scale.md). A run with all batches therefore takes two
 * to four minutes alone, and up to ten minutes beside others.
 */
const MAX_CONCURRENT_RUNS = 4;

/** Creates the function that scores queued endpoints every minute, with one step per batch. */
export function createScoreFunction(client: Inngest, job: Job, openContext: OpenContext) {
  return client.createFunction(
    {
      ...createCronOptions(job),
      concurrency: { limit: MAX_CONCURRENT_RUNS },
      retries: 2,
      timeouts: { start: '1m', finish: '30m' },
    },
    async ({ step }) => {
      await step.run('queue aged snapshots', async () => queueAged(await openContext()));
      let sum = EMPTY_SCORE_SUMMARY;
      for (let number = 1; number <= MAX_BATCHES; number += 1) {
        const { more, summary } = await step.run(`score batch ${number}`, async () => {
          const batch = await scoreBatch(await openContext(), BATCH_SIZE);
          return { more: batch.more, summary: toScoreSummary(batch) };
        });
        sum = addScoreSummaries(sum, summary);
        if (!more) break;
      }
      await step.run('refresh totals', async () => refreshTotals(await openContext()));
      return sum;
    },
  );
}

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

/** Creates the hourly function that stores the figures of all endpoints for the current day. */
export function createStatisticsFunction(client: Inngest, job: Job, openContext: OpenContext) {
  return client.createFunction(
    { ...createCronOptions(job), retries: 2, timeouts: { start: '30m', finish: '5m' } },
    ({ step }) => step.run('record statistics', async () => job.run(await openContext())),
  );
}
