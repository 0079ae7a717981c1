import { cron, type Inngest } from 'inngest';
import type { PipelineContext } from './context.ts';
import { JOBS } from './jobs.ts';

/**
 * The jobs as Inngest functions: the same verbs as the scheduler in process calls, one step a run, never two runs of
 * one job at once.
 * @param context made when a function runs, so that nothing is opened when functions are only listed
 */
export function createInngestFunctions(client: Inngest, context: () => PipelineContext) {
  return JOBS.map((job) =>
    client.createFunction(
      { id: job.id, name: job.title, triggers: [cron(job.cron)], concurrency: { limit: 1 }, retries: 2 },
      ({ step }) => step.run(job.id, () => job.run(context())),
    ),
  );
}
