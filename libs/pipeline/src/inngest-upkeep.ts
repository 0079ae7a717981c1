import type { Inngest } from 'inngest';
import type { PipelineContext } from './context.ts';
import { cronOptions } from './inngest-options.ts';
import type { Job } from './jobs.ts';
import { scoreBatch } from './score-changed.ts';

/** Batches of one run: 10,000 endpoints. What is left is scored a minute later; Inngest allows 1,000 steps. */
const MAX_STEPS = 40;

/** Every minute, a step for each batch of endpoints whose snapshot is out of date. */
export function scoreFunction(client: Inngest, job: Job, context: () => PipelineContext) {
  return client.createFunction(
    {
      ...cronOptions(job),
      retries: 2,
      timeouts: { start: '1m', finish: '10m' },
    },
    async ({ step }) => {
      const total = { scored: 0, changed: 0 };
      for (let batch = 1; batch <= MAX_STEPS; batch += 1) {
        const { scored, changed, more } = await step.run(`score batch ${batch}`, () => scoreBatch(context()));
        total.scored += scored;
        total.changed += changed;
        if (!more) break;
      }
      return total;
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
