import type { Inngest } from 'inngest';
import type { PipelineContext } from './context.ts';
import { cronOptions } from './inngest-options.ts';
import type { Job } from './jobs.ts';
import { scoreBatch } from './score-batch.ts';
import { addScores, NOTHING_SCORED, queueAged } from './score-changed.ts';

/**
 * Endpoints of a step, and steps of a run: 35,000 endpoints, which is what a million probed every half hour bring in a
 * minute and a twentieth more. Inngest allows 1,000 steps.
 */
const BATCH = 500;
const MAX_BATCHES = 70;
/**
 * Batches at once, of all runs together, each on endpoints of its own. By what a connection scores in a second
 * (docs/scale.md) a full run takes two to six minutes, so runs of several minutes work beside each other.
 */
const BATCHES_AT_ONCE = 4;

/** Every minute, a step for each batch of endpoints whose snapshot is out of date. */
export function scoreFunction(client: Inngest, job: Job, context: () => PipelineContext) {
  return client.createFunction(
    {
      ...cronOptions(job),
      concurrency: { limit: BATCHES_AT_ONCE },
      retries: 2,
      timeouts: { start: '1m', finish: '10m' },
    },
    async ({ step }) => {
      await step.run('queue what is a day old', () => queueAged(context()));
      let sum = NOTHING_SCORED;
      for (let place = 1; place <= MAX_BATCHES; place += 1) {
        const batch = await step.run(`score batch ${place}`, () => scoreBatch(context(), BATCH));
        sum = addScores(sum, batch);
        if (!batch.more) break;
      }
      return sum;
    },
  );
}

/** Once a day: partitions made ahead, those past their time dropped. */
export function maintainFunction(client: Inngest, job: Job, context: () => PipelineContext) {
  return client.createFunction(
    {
      ...cronOptions(job),
      retries: 5,
      timeouts: { start: '6h', finish: '1h' },
    },
    ({ step }) => step.run('keep the partitions', () => job.run(context())),
  );
}
