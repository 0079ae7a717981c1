import { setTimeout as sleep } from 'node:timers/promises';
import { createProber } from '@touchstone/probe';
import { connect, StoreError } from '@touchstone/store';
import type { PipelineContext } from '../../context.ts';
import { JOB, type Job } from '../../jobs.ts';
import { createHostRateLimiter } from '../../probing/host-rate-limiter.ts';
import { DEFAULT_BATCH_LIMITS, probeDue, type BatchLimits } from '../../probing/probe-due.ts';
import { readClock, type ClockSettings } from './clock.ts';

/** Settings of a worker that runs all jobs until it is stopped. */
export interface WorkerSettings {
  readonly databaseUrl: string;
  readonly databaseKey: string;
  /** Base URL of the directory. The endpoints are on the same port. */
  readonly directoryUrl: string;
  /** Name under which the worker reads the directory. */
  readonly directory: string;
  readonly clock: ClockSettings;
  /** Number of the worker. All times of its clock contain this number, see `readClock`. */
  readonly number: number;
  readonly limits: Pick<BatchLimits, 'batchSize' | 'inFlight' | 'leaseSeconds' | 'sliceSize'>;
}

/** Result of one run of a job, or its error. */
export type WorkerMessage =
  | { readonly job: string; readonly summary: Readonly<Record<string, unknown>> }
  | { readonly job: string; readonly error: string; readonly code: string | null };

/** Pause between two runs of a job, in milliseconds. */
const PAUSE_MS = 20;

/**
 * Runs all jobs of the pipeline again and again with real probers, as the service does. Probing, rechecks and scoring run
 * at the same time as the other jobs. Resolves when it is stopped and all running jobs have ended.
 */
export async function runWorker(
  settings: WorkerSettings,
  report: (message: WorkerMessage) => void,
  stop: AbortSignal,
): Promise<void> {
  const context = createContext(settings);
  const limits: BatchLimits = { ...DEFAULT_BATCH_LIMITS, ...settings.limits };
  const repeat = async (jobs: readonly Pick<Job, 'id' | 'run'>[]): Promise<void> => {
    while (!stop.aborted)
      for (const job of jobs) {
        report(await runJob(job, context));
        await sleep(PAUSE_MS);
      }
  };
  const { probe, recheck, score, ...others } = JOB;
  await Promise.all([
    repeat([{ id: probe.id, run: (worker) => probeDue(worker, limits) }]),
    repeat([recheck]),
    repeat([score]),
    repeat(Object.values(others)),
  ]);
}

async function runJob(
  { id, run }: Pick<Job, 'id' | 'run'>,
  context: PipelineContext,
): Promise<WorkerMessage> {
  try {
    return { job: id, summary: { ...(await run(context)) } };
  } catch (error) {
    return { job: id, error: String(error), code: error instanceof StoreError ? (error.code ?? null) : null };
  }
}

function createContext(settings: WorkerSettings): PipelineContext {
  const { databaseUrl, databaseKey, directoryUrl, directory, clock, number } = settings;
  const port = Number(new URL(directoryUrl).port);
  return {
    db: connect({ url: databaseUrl, key: databaseKey }),
    prober: createProber({
      resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4, port, isTrusted: true }]),
      userAgent: 'test',
    }),
    rateLimiter: createHostRateLimiter({ perHostPerSecond: 1000 }),
    directories: [{ name: directory, url: directoryUrl }],
    fetch: globalThis.fetch,
    now: () => readClock(clock, number),
    hostSuffix: '.example.com',
    owner: `worker-${number}`,
    onChanged: () => Promise.resolve(),
  };
}
