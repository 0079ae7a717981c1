import type { Inngest } from 'inngest';
import type { PipelineContext } from './context.ts';
import { batchDue } from './inngest-events.ts';
import { cronOptions, ONE_STEP_A_REQUEST } from './inngest-options.ts';
import type { Job } from './jobs.ts';
import { countBatches, probeBatch } from './probe-batch.ts';

/** Batches at the same time, over all workers: with the limits of a batch, the bound on probes in flight. */
const BATCHES_AT_ONCE = 4;

/** Every minute: counts what is due and asks for one run per batch. It claims nothing, so a second one costs nothing. */
export function sweepFunction(client: Inngest, job: Job, context: () => PipelineContext) {
  return client.createFunction(
    {
      ...cronOptions(job),
      retries: 2,
      // One that could not begin within its minute has nothing to add to the next.
      timeouts: { start: '1m', finish: '2m' },
    },
    async ({ step, runId }) => {
      const { due, batches } = await step.run('count what is due', () => countBatches(context()));
      if (batches > 0) {
        const keys = Array.from({ length: batches }, (_, index) => `${runId}/${index + 1}`);
        await step.sendEvent(
          'ask for batches',
          keys.map((key) => batchDue.create({ key }, { id: `${batchDue.name}/${key}` })),
        );
      }
      return { due, batches };
    },
  );
}

/**
 * One batch, in one step: claimed, probed and recorded by the same worker, because what is carried from step to step
 * would have to be stored by Inngest. Delivered twice, the second delivery claims what the first left, or nothing.
 */
export function probeBatchFunction(client: Inngest, context: () => PipelineContext) {
  return client.createFunction(
    {
      ...ONE_STEP_A_REQUEST,
      id: 'probe-batch',
      name: 'Probe one batch',
      triggers: [batchDue],
      concurrency: { limit: BATCHES_AT_ONCE },
      idempotency: 'event.data.key',
      retries: 2,
      // The sweep of the next minute counts again what did not begin in this one; a lease lasts five minutes.
      timeouts: { start: '1m', finish: '5m' },
    },
    ({ step }) => step.run('probe and record', () => probeBatch(context())),
  );
}
