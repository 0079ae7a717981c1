import type { Inngest } from 'inngest';
import type { Job } from '../jobs.ts';
import { scoreBatch } from '../scoring/score-batch.ts';
import {
  addScoreSummaries,
  EMPTY_SCORE_SUMMARY,
  queueAged,
  toScoreSummary,
} from '../scoring/score-changed.ts';
import { refreshTotals } from '../statistics/refresh-totals.ts';
import { createCronOptions, type OpenContext } from './function-options.ts';

/** Number of endpoints per step. */
const BATCH_SIZE = 500;
/**
 * Maximum number of steps per run; Inngest allows 1,000. With 70 steps, the run of each minute can score 35,000
 * endpoints. A million endpoints that are probed every half hour need 33,333 scores per minute.
 */
const MAX_BATCHES = 70;
/**
 * Maximum number of concurrent runs; each run claims its own endpoints. A new run starts every minute, but a run with
 * all 70 steps takes two to six minutes (measured, see docs/scale.md), so runs overlap.
 */
const MAX_CONCURRENT_RUNS = 4;

/** Creates the function that scores queued endpoints every minute, with one step per batch. */
export function createScoreFunction(client: Inngest, job: Job, openContext: OpenContext) {
  return client.createFunction(
    {
      ...createCronOptions(job),
      concurrency: { limit: MAX_CONCURRENT_RUNS },
      retries: 2,
      timeouts: { start: '1m', finish: '10m' },
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
