import { setTimeout as sleep } from 'node:timers/promises';
import { Cron } from 'croner';
import type { Job, PipelineContext } from '@touchstone/pipeline';
import type { Logger } from 'pino';

export interface Scheduler {
  /** Runs a job without waiting for its time, unless it runs already or all is over. Never rejects. */
  runNow(id: Job['id']): Promise<void>;
  /** Starts nothing more and waits for what runs, but a few seconds at most. */
  stop(): Promise<void>;
}

/**
 * A sweep may take its minute. Whoever stops the service does not wait for it: what it holds is leased and given back
 * at the next start, and what it records is recorded whole or not at all.
 */
const PATIENCE_MS = 2_000;

/** Runs of a job that comes every few seconds that may overlap: one that hangs does not stop the next. */
const AT_ONCE = 2;

/** An empty look is no news, and there are thousands a day. */
function didNothing(summary: object): boolean {
  return Object.values(summary).every((value) => value === 0);
}

/** A cron expression of six fields, the first of them seconds, for a job that cannot wait for the next minute. */
function patternOf({ cron, everySeconds }: Job): string {
  return everySeconds === undefined ? cron : `*/${everySeconds} * * * * *`;
}

/**
 * Runs jobs on their cron expressions in this process. A job that still runs is not started again, but for one that
 * comes every few seconds: two of its runs may overlap. What a run did is logged, if it did anything.
 */
export function startScheduler(jobs: readonly Job[], context: PipelineContext, log: Logger): Scheduler {
  const running = new Set<Promise<void>>();
  const run = async (job: Job): Promise<void> => {
    const started = performance.now();
    try {
      const summary = await job.run(context);
      if (didNothing(summary)) return;
      log.info({ job: job.id, ms: Math.round(performance.now() - started), ...summary }, job.title);
    } catch (error) {
      log.error({ job: job.id, err: error }, `${job.title}: failed, tried again at its next time`);
    }
  };
  let stopped = false;
  const crons = new Map(
    jobs.map((job) => {
      const atOnce = job.everySeconds === undefined ? 1 : AT_ONCE;
      let underWay = 0;
      const cron = new Cron(patternOf(job), { timezone: 'UTC', protect: atOnce === 1 }, async () => {
        if (underWay >= atOnce) return;
        underWay += 1;
        const current = run(job);
        running.add(current);
        await current;
        running.delete(current);
        underWay -= 1;
      });
      return [job.id, cron];
    }),
  );
  return {
    runNow: async (id) => {
      const cron = crons.get(id);
      if (!stopped && cron?.isBusy() === false) await cron.trigger();
    },
    stop: async () => {
      stopped = true;
      for (const cron of crons.values()) cron.stop();
      await Promise.race([Promise.all(running), sleep(PATIENCE_MS)]);
    },
  };
}
