import type { Inngest } from 'inngest';
import type { Job } from '../jobs.ts';
import { addMaintainSummaries, maintain, type MaintainSummary } from '../maintenance/maintain.ts';
import { createCronOptions, createStepSignal, type OpenContext } from './function-options.ts';

/** Maximum number of steps of a maintenance run, which takes at most 45 minutes. The next day deletes the rest. */
const MAX_MAINTENANCE_STEPS = 10;

/**
 * Creates the daily function that creates the partitions of the next days and deletes expired data. A step that reaches
 * its deadline is followed by another one.
 */
export function createMaintainFunction(client: Inngest, job: Job, openContext: OpenContext) {
  return client.createFunction(
    {
      ...createCronOptions(job),
      retries: 5,
      timeouts: { start: '6h', finish: '1h' },
    },
    async ({ step }) => {
      let total: MaintainSummary | null = null;
      for (let part = 1; ; part += 1) {
        const summary = await step.run(`maintain part ${part}`, async () =>
          maintain(await openContext(), { signal: createStepSignal() }),
        );
        total = total === null ? summary : addMaintainSummaries(total, summary);
        if (summary.more !== true || part === MAX_MAINTENANCE_STEPS) return total;
      }
    },
  );
}

/** Creates the function that runs every minute and deletes adopted endpoints whose report was not paid. */
export function createDeleteAdoptionsFunction(client: Inngest, job: Job, openContext: OpenContext) {
  return client.createFunction(
    { ...createCronOptions(job), retries: 2, timeouts: { start: '5m', finish: '5m' } },
    ({ step }) => step.run('delete unpaid adoptions', async () => job.run(await openContext())),
  );
}
