import type { Inngest } from 'inngest';
import type { Job } from '../jobs.ts';
import { createCronOptions, type OpenContext } from './function-options.ts';

/** Creates the hourly function that stores the figures of all endpoints for the current day. */
export function createStatisticsFunction(client: Inngest, job: Job, openContext: OpenContext) {
  return client.createFunction(
    { ...createCronOptions(job), retries: 2, timeouts: { start: '30m', finish: '5m' } },
    ({ step }) => step.run('record statistics', async () => job.run(await openContext())),
  );
}
