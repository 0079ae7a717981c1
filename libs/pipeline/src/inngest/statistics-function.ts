import type { Inngest } from 'inngest';
import type { PipelineContext } from '../context.ts';
import type { Job } from '../jobs.ts';
import { createCronOptions } from './function-options.ts';

/** Creates the hourly function that stores the figures of all endpoints for the current day. */
export function createStatisticsFunction(client: Inngest, job: Job, context: () => PipelineContext) {
  return client.createFunction(
    { ...createCronOptions(job), retries: 2, timeouts: { start: '30m', finish: '5m' } },
    ({ step }) => step.run('record statistics', () => job.run(context())),
  );
}
