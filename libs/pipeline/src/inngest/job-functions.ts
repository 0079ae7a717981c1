import type { GetStepTools, Inngest } from 'inngest';
import type { PipelineContext } from '../context.ts';
import type { RunStep } from '../steps.ts';
import { JOB } from '../jobs.ts';
import { createCronOptions, createStepSignal, type OpenContext } from './function-options.ts';

/**
 * Options of the Inngest functions that run a whole job, by the id of the job. `start` is the time after which a
 * waiting run is cancelled. `finish` is the maximum duration of a run.
 */
const OPTIONS = {
  /**
   * A new run starts every minute. One run uses one database connection, and this connection scores 600 to 1,170
   * endpoints per second (docs/scale.md). A run with all batches takes two to four minutes alone, and up to ten minutes
   * beside other runs. Each run claims its own endpoints, so four runs may overlap.
   */
  score: { retries: 2, timeouts: { start: '1m', finish: '30m' }, concurrency: { limit: 4 } },
  search: { retries: 2, timeouts: { start: '1m', finish: '30m' } },
  statistics: { retries: 2, timeouts: { start: '30m', finish: '5m' } },
  settle: { retries: 3, timeouts: { start: '5m', finish: '1h' } },
  reconcile: { retries: 2, timeouts: { start: '2m', finish: '1h' } },
  adoptions: { retries: 2, timeouts: { start: '5m', finish: '5m' } },
  watches: { retries: 2, timeouts: { start: '1m', finish: '5m' } },
  claims: { retries: 2, timeouts: { start: '10m', finish: '1h' } },
  purchases: { retries: 2, timeouts: { start: '10m', finish: '1h' } },
  maintain: { retries: 5, timeouts: { start: '6h', finish: '1h' } },
} as const;

/** Creates the function that runs each step of a job as a step of an Inngest run. */
export function createRunStep(step: Pick<GetStepTools<Inngest>, 'run'>): RunStep {
  // The cast is safe, because the result of a step is JSON.
  return async (name, work) => (await step.run(name, work)) as Awaited<ReturnType<typeof work>>;
}

/**
 * Creates the function that runs a job on its schedule. Each step of the job runs in its own request. In each request,
 * the job starts again from the beginning, and Inngest returns the stored results of the earlier steps.
 */
export function createJobFunction(client: Inngest, id: keyof typeof OPTIONS, openContext: OpenContext) {
  const job = JOB[id];
  return client.createFunction({ ...createCronOptions(job), ...OPTIONS[id] }, async ({ step }) => {
    const logError = (message: string): void => client.logger.error(message);
    const context: PipelineContext = await openContext();
    return job.run({ ...context, signal: createStepSignal(), runStep: createRunStep(step), logError });
  });
}
