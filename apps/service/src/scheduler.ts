import { Cron } from 'croner';
import type { Job, PipelineContext } from '@touchstone/pipeline';
import type { Logger } from 'pino';

export interface Scheduler {
  /** Starts nothing more and waits for what runs. */
  stop(): Promise<void>;
}

/** Runs jobs on their cron expressions in this process; a job that still runs is not started again. */
export function startScheduler(jobs: readonly Job[], context: PipelineContext, log: Logger): Scheduler {
  const running = new Set<Promise<void>>();
  const run = async (job: Job): Promise<void> => {
    const started = performance.now();
    try {
      const summary = await job.run(context);
      log.info({ job: job.id, ms: Math.round(performance.now() - started), ...summary }, job.title);
    } catch (error) {
      log.error({ job: job.id, err: error }, `${job.title}: failed, tried again at its next time`);
    }
  };
  const crons = jobs.map(
    (job) =>
      new Cron(job.cron, { timezone: 'UTC', protect: true }, async () => {
        const current = run(job);
        running.add(current);
        await current;
        running.delete(current);
      }),
  );
  return {
    stop: async () => {
      for (const cron of crons) cron.stop();
      await Promise.all(running);
    },
  };
}
