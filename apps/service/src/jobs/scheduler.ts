import { setTimeout as sleep } from 'node:timers/promises';
import { computeRestartDelay } from '@touchstone/common';
import { Cron } from 'croner';
import type { Job, PipelineContext } from '@touchstone/pipeline';
import type { Logger } from 'pino';
import type { DataFolder } from '../data-folder/data-folder.ts';
import type { Print } from '../processes/supervisor.ts';

export interface Scheduler {
  /**
   * Runs a job immediately. Does nothing when the job is already running or the scheduler was stopped. The promise
   * never rejects.
   */
  runNow(id: Job['id']): Promise<void>;
  /** Prevents further runs, and waits at most two seconds until the current runs end. */
  stop(): Promise<void>;
}

/**
 * Maximum time that `stop` waits for current runs, in milliseconds. A batch of probes can take a minute, but it may be
 * interrupted: its results are recorded completely or not at all, and its leases are released at the next start.
 */
const MAX_STOP_WAIT_MS = 2_000;

/**
 * Maximum number of concurrent runs of a job with `everySeconds`. The maximum is two, so that a run that hangs does not
 * block the next run.
 */
const MAX_CONCURRENT_RUNS = 2;

/** Returns true when a run had nothing to do. Such runs are not logged, because there are thousands a day. */
function isEmptyRun(summary: object): boolean {
  return Object.values(summary).every((value) => value === 0);
}

/**
 * Returns the cron expression of a job. With `everySeconds`, the expression has six fields, and the first field
 * contains the seconds.
 */
function getCronPattern({ cron, everySeconds }: Job): string {
  return everySeconds === undefined ? cron : `*/${everySeconds} * * * * *`;
}

/**
 * Runs jobs in this process at the times of their cron expressions. A job has at most one run at a time; a job with
 * `everySeconds` can have two runs. The summary of each run is logged unless the run was empty.
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

/** Pipeline context, data folder and outputs for the jobs of one mode. */
export interface JobRun {
  readonly context: PipelineContext;
  readonly folder: DataFolder;
  readonly print: Print;
  readonly log: Logger;
  /** Aborted when the service is being stopped. */
  readonly signal: AbortSignal;
}

/** Running jobs of one mode. */
export interface RunningJobs {
  /** Rejects when the jobs fail. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

/** Starts work that ends when its signal is aborted: by `stop`, or by the given signal. */
export function runUntilStopped(
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): RunningJobs {
  const stopping = new AbortController();
  const running = work(AbortSignal.any([outer, stopping.signal]));
  const failed = new Promise<never>((_, reject) => {
    running.catch(reject);
  });
  failed.catch(() => undefined);
  return {
    failed,
    stop: async () => {
      stopping.abort();
      await running.catch(() => undefined);
    },
  };
}

export interface RepeatOptions extends Pick<JobRun, 'print' | 'log' | 'signal'> {
  /** Name of the work, for the lines that the operator sees. */
  readonly part: string;
  /** Waits before the next attempt; tests replace this function. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Repeats work until the work succeeds, with increasing delays between the attempts. An attempt fails, for example,
 * while the database or the sandbox is restarted. The work must be repeatable. Each failure is logged, and the first
 * failure is printed.
 *
 * @throws the last error, after `signal` was aborted
 */
export async function repeatUntilDone<T>(work: () => Promise<T>, options: RepeatOptions): Promise<T> {
  const { part, print, log, signal, pause = (ms: number) => sleep(ms, undefined, { signal }) } = options;
  let delayMs: number | null = null;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw error;
      log.error({ part, err: error }, 'An attempt failed; it is repeated');
      const reason = error instanceof Error ? error.message : String(error);
      if (delayMs === null) print(part, `was interrupted (${reason}); it continues with increasing delays`);
      delayMs = computeRestartDelay(delayMs, 0);
      await pause(delayMs);
    }
  }
}
