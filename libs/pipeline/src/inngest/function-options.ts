import { cron } from 'inngest';
import type { PipelineContext } from '../context.ts';
import type { Job } from '../jobs.ts';

/**
 * Options of every function. Each step runs in a separate request, so each step has the whole time limit of the
 * platform. Checkpointing is off: with checkpointing, several steps would run in one request.
 */
export const ONE_STEP_PER_REQUEST = { checkpointing: false } as const;

/**
 * Time after which a step ends and leaves the remaining work to the next step or run, in milliseconds. A database call
 * that runs at that time can take 30 seconds longer. A request on Vercel ends after 300 seconds.
 */
const MAX_STEP_MS = 240_000;

/** Creates a signal that is aborted at the deadline of a step that starts now. */
export function createStepSignal(): AbortSignal {
  return AbortSignal.timeout(MAX_STEP_MS);
}

/**
 * Function that creates the context of one request. If a sandbox is configured, the function first connects to the
 * sandbox.
 */
export type OpenContext = () => Promise<PipelineContext> | PipelineContext;

/** Creates the options of a scheduled job. By default, two runs of a job never overlap. */
export function createCronOptions(job: Job) {
  return {
    ...ONE_STEP_PER_REQUEST,
    id: job.id,
    name: job.title,
    triggers: [cron(job.cron)],
    concurrency: { limit: 1 },
  };
}
