import { cron } from 'inngest';
import type { Job } from './jobs.ts';

/**
 * Every function's: each step is a request of its own, and so has the whole of the time that the platform gives one.
 * Otherwise the SDK goes on with the next step in the same request, reporting the last one on the side.
 */
export const ONE_STEP_A_REQUEST = { checkpointing: false } as const;

/** A job's, which runs at its times and never twice at once. */
export function cronOptions(job: Job) {
  return {
    ...ONE_STEP_A_REQUEST,
    id: job.id,
    name: job.title,
    triggers: [cron(job.cron)],
    concurrency: { limit: 1 },
  };
}
