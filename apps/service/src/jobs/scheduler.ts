import { setTimeout as sleep } from 'node:timers/promises';
import { Cron } from 'croner';
import type { Job, PipelineContext } from '@touchstone/pipeline';
import type { Logger } from 'pino';

export interface Scheduler {
  /** Runs a job now, unless it is running or the scheduler was stopped. Never rejects. */
  runNow(id: Job['id']): Promise<void>;
  /** Starts no more runs and waits up to two seconds for the current ones. */
  stop(): Promise<void>;
}

/**
 * Maximum time that `stop` waits for current runs. A batch of probes can take a minute, and need not be finished: its
 * leases are released at the next start, and its results are recorded completely or not at all.
 */
const MAX_STOP_WAIT_MS = 2_000;

/** Maximum number of concurrent runs of a job with `everySeconds`. One hanging run does not block the next. */
const MAX_CONCURRENT_RUNS = 2;

/** Empty runs are not logged: there are thousands a day. */
function isEmptyRun(summary: object): boolean {
  return Object.values(summary).every((value) => value === 0);
}

/** Returns a job's cron expression. A job with `everySeconds` gets six fields, the first of which is seconds. */
function getCronPattern({ cron, everySeconds }: Job): string {
  return everySeconds === undefined ? cron : `*/${everySeconds} * * * * *`;
}

/**
 * Runs jobs in this process on their cron expressions. A job is not started while it is still running, except for jobs
 * with `everySeconds`, of which two runs can overlap. The summary of each run is logged unless it is empty.
 */
export function startScheduler(jobs: readonly Job[], context: PipelineContext, log: Logger): Scheduler {
  const running = new Set<Promise<void>>();
  const run = async (job: Job): Promise<void> => {
    const started = performance.now();
    try {
      const summary = await job.run(context);
      if (isEmptyRun(summary)) return;
      log.info({ job: job.id, ms: Math.round(performance.now() - started), ...summary }, job.title);
    } catch (error) {
      log.error(
        { job: job.id, err: error },
        `${job.title}: failed; the job runs again at its next scheduled time`,
      );
    }
  };
  let isStopped = false;
  const crons = new Map(
    jobs.map((job) => {
      const maxRuns = job.everySeconds === undefined ? 1 : MAX_CONCURRENT_RUNS;
      let runs = 0;
      const cron = new Cron(getCronPattern(job), { timezone: 'UTC', protect: maxRuns === 1 }, async () => {
        if (runs >= maxRuns) return;
        runs += 1;
        const current = run(job);
        running.add(current);
        await current;
        running.delete(current);
        runs -= 1;
      });
      return [job.id, cron];
    }),
  );
  return {
    runNow: async (id) => {
      const cron = crons.get(id);
      if (!isStopped && cron?.isBusy() === false) await cron.trigger();
    },
    stop: async () => {
      isStopped = true;
      for (const cron of crons.values()) cron.stop();
      await Promise.race([Promise.all(running), sleep(MAX_STOP_WAIT_MS)]);
    },
  };
}
