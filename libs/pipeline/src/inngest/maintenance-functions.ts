import type { Inngest } from 'inngest';
import type { Job } from '../jobs.ts';
import { createCronOptions, type OpenContext } from './function-options.ts';

/** Creates the daily function that creates the partitions of the next days and deletes expired data. */
export function createMaintainFunction(client: Inngest, job: Job, openContext: OpenContext) {
  return client.createFunction(
    {
      ...createCronOptions(job),
      retries: 5,
      timeouts: { start: '6h', finish: '1h' },
    },
    ({ step }) => step.run('maintain partitions', async () => job.run(await openContext())),
  );
}

/** Creates the function that runs every minute and deletes adopted endpoints whose report was not paid. */
export function createDeleteAdoptionsFunction(client: Inngest, job: Job, openContext: OpenContext) {
  return client.createFunction(
    { ...createCronOptions(job), retries: 2, timeouts: { start: '5m', finish: '5m' } },
    ({ step }) => step.run('delete unpaid adoptions', async () => job.run(await openContext())),
  );
}
