import type { Inngest } from 'inngest';
import { confirmMisses, LOOK_EVERY_SECONDS } from './confirm-misses.ts';
import type { PipelineContext } from './context.ts';
import { batchDue, missesDue } from './inngest-events.ts';
import { cronOptions, ONE_STEP_A_REQUEST } from './inngest-options.ts';
import type { Job } from './jobs.ts';
import { countBatches, probeBatch } from './probe-batch.ts';

export interface ProbingOptions {
  /** Batches at the same time, over all workers: with the 48 of a batch, the bound on probes in flight. */
  readonly batchesAtOnce: number;
}

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
export function probeBatchFunction(
  client: Inngest,
  context: () => PipelineContext,
  { batchesAtOnce }: ProbingOptions,
) {
  return client.createFunction(
    {
      ...ONE_STEP_A_REQUEST,
      id: 'probe-batch',
      name: 'Probe one batch',
      triggers: [batchDue],
      concurrency: { limit: batchesAtOnce },
      idempotency: 'event.data.key',
      retries: 2,
      // The sweep of the next minute counts again what did not begin in this one; a lease lasts five minutes.
      timeouts: { start: '1m', finish: '5m' },
    },
    ({ step }) => step.run('probe and record', () => probeBatch(context())),
  );
}

const LOOKS_A_MINUTE = 60 / LOOK_EVERY_SECONDS;

/** Every minute: asks for the looks of that minute, as cron knows nothing shorter. */
export function confirmFunction(client: Inngest, job: Job, context: () => PipelineContext) {
  return client.createFunction(
    { ...cronOptions(job), retries: 2, timeouts: { start: '30s', finish: '1m' } },
    async ({ step, runId }) => {
      const from = await step.run('look at the clock', () => context().now());
      const looks = Array.from({ length: LOOKS_A_MINUTE }, (_, index) => ({
        key: `${runId}/${index + 1}`,
        ts: from + index * LOOK_EVERY_SECONDS * 1000,
      }));
      await step.sendEvent(
        'ask for looks',
        looks.map(({ key, ts }) => missesDue.create({ key }, { id: `${missesDue.name}/${key}`, ts })),
      );
      return { looks: looks.length };
    },
  );
}

/** One look, in one step. It does not wait for batches: whether an endpoint is down is asked within a minute. */
export function confirmMissesFunction(client: Inngest, context: () => PipelineContext) {
  return client.createFunction(
    {
      ...ONE_STEP_A_REQUEST,
      id: 'confirm-misses',
      name: 'Look again at what was missed',
      triggers: [missesDue],
      concurrency: { limit: LOOKS_A_MINUTE },
      idempotency: 'event.data.key',
      // The next look finds what this one could not do.
      retries: 0,
      timeouts: { start: '1m', finish: '2m' },
    },
    ({ step }) => step.run('look and record', () => confirmMisses(context())),
  );
}
