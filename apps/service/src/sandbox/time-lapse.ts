import { setTimeout as sleep } from 'node:timers/promises';
import {
  claimDueSlots,
  discover,
  PROBE_INTERVAL_SECONDS,
  probeWithoutRecording,
  recordProbes,
  recordStatistics,
  releaseAbandonedLeases,
  scoreChanged,
  settle,
  type BatchLimits,
  type ObservedProbe,
  type PipelineContext,
} from '@touchstone/pipeline';
import { resetDistantSlots } from '@touchstone/store';
import type { SandboxControl } from './start-sandbox.ts';

const STEP_MS = PROBE_INTERVAL_SECONDS * 1000;
/** Interval at which the discovery directory is read, in steps of 30 simulated minutes. */
const DISCOVER_EVERY = 6;
/** Interval between two score runs, in steps of 30 simulated minutes: one simulated day. */
const SCORE_EVERY = 48;
/** Number of steps in one recording. One call of `recordProbes` stores the probe results of these steps. */
const STEPS_PER_RECORD = 6;
/**
 * Maximum number of pending recordings. A recording stores the results of several steps. It is pending while it waits
 * for slow responses or is being stored. Later steps run in the meantime.
 */
const MAX_PENDING_RECORDS = 16;
/**
 * Time within which all requests of a step arrive at their endpoints, in milliseconds. The clock must not change
 * earlier, because an endpoint determines its response when the request arrives.
 */
const ARRIVAL_MS = 50;
/** Maximum share of time in which the event loop is busy. With a higher share, measured latencies would be too long. */
const MAX_BUSY_SHARE = 0.85;

/**
 * Limits for the probes of one step. The limit per host can be high, because all hosts are simulated on this machine.
 */
const LIMITS: BatchLimits = {
  batchSize: 500,
  inFlight: 256,
  perHost: 64,
  // Leases expire by the simulated clock, which advances one day in a few seconds. So the leases must be long.
  leaseSeconds: 30 * 24 * 3600,
};

export interface TimeLapse {
  readonly context: PipelineContext;
  readonly control: Pick<SandboxControl, 'setClock' | 'waitForPayments'>;
  /** Simulated start time, in milliseconds since 1970. The time-lapse ends when the simulated time reaches real time. */
  readonly from: number;
  /**
   * Simulated time at which an interrupted run last read the discovery directory, in milliseconds since 1970; 0 if the
   * directory was never read. The directory is not read again for times up to this time.
   */
  readonly discoveredUntil: number;
  readonly onDiscovered: (at: number) => void;
  /**
   * Called when the results of all steps up to `recordedUntil` are recorded. `probes` is the number of probes in this
   * run.
   */
  readonly onStep: (recordedUntil: number, probes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Simulates the past of the sandbox in steps of 30 minutes. The time-lapse sets the clock of the sandbox for each step.
 * It uses the same functions for discovery, probes and scores as the service in real time. While slow responses are
 * pending, later steps run. Results are recorded in the order of the steps.
 *
 * A run that continues an interrupted run probes the same slots (scheduled probe times) as an uninterrupted run. Slots
 * that the interrupted run claimed but did not record are due again. The continued run begins before the directory
 * readings whose steps were not recorded, so it probes endpoints of these readings earlier than an uninterrupted run.
 *
 * @returns the simulated time up to which all results are recorded
 */
export async function runTimeLapse(lapse: TimeLapse): Promise<number> {
  const { context, from, onStep } = lapse;
  // An interrupted run also set the rate limits of hosts. Its clock may have been hours later than `from`.
  await releaseAbandonedLeases(context);
  await resetDistantSlots(context.db, from);
  const recorder = createRecorder(context, onStep, from);
  try {
    return await runSteps(lapse, recorder);
  } finally {
    // After an error, the caller starts a new run. The recordings of this run must end before that.
    await recorder.settle();
  }
}

async function runSteps(lapse: TimeLapse, recorder: Recorder): Promise<number> {
  const { context, control, from, signal } = lapse;
  let utilization = performance.eventLoopUtilization();
  let { discoveredUntil } = lapse;
  const claimAt = (at: number) =>
    at <= Date.now() ? claimDueSlots({ ...context, now: () => at }, LIMITS) : null;
  let next = claimAt(from + STEP_MS);
  for (let at = from + STEP_MS; next !== null && !signal.aborted; at += STEP_MS) {
    // The step number depends on the simulated time only, so a continued run reads the directory at the same times.
    const step = Math.floor(at / STEP_MS);
    const stepContext: PipelineContext = { ...context, now: () => at };
    const claimed = await next;
    await control.setClock(at);
    if (discoveredUntil === 0 || (step % DISCOVER_EVERY === 0 && at > discoveredUntil)) {
      await discover(stepContext);
      discoveredUntil = at;
      lapse.onDiscovered(at);
    }
    // All probe results of a step are recorded with the simulated time of the step.
    const observed = probeWithoutRecording(stepContext, claimed, LIMITS);
    next = claimAt(at + STEP_MS);
    const arrived = Promise.race([observed, sleep(ARRIVAL_MS)]);
    // Waits for both promises even if one of the two fails, so that no claim continues after the end of the run.
    await Promise.allSettled([arrived, next]);
    await Promise.all([arrived, next]);
    await recorder.add(at, observed);
    if (step % SCORE_EVERY === SCORE_EVERY - 1) {
      // The agents' payments can lag behind the clock. Scoring must wait until all payments of the day are on the
      // chain.
      await control.waitForPayments(at, signal);
      await settle(stepContext);
      await scoreChanged(stepContext);
      await recordStatistics(stepContext);
    }
    utilization = await waitUntilIdle(utilization);
  }
  const recordedUntil = await recorder.end();
  await control.waitForPayments(recordedUntil, signal);
  const end: PipelineContext = { ...context, now: () => recordedUntil };
  await settle(end);
  await scoreChanged(end, { includesWaiting: true });
  await recordStatistics(end);
  return recordedUntil;
}

type Recorder = ReturnType<typeof createRecorder>;

/**
 * Creates a recorder that stores the probe results of steps in the order of the steps. One call stores several steps,
 * after the slowest response of these steps has arrived.
 */
function createRecorder(context: PipelineContext, onStep: TimeLapse['onStep'], from: number) {
  const pending: Promise<void>[] = [];
  let steps: Promise<readonly ObservedProbe[]>[] = [];
  let last = from;
  let recordedUntil = from;
  let probes = 0;
  const flush = (): void => {
    const [until, batches, previous] = [last, steps, pending.at(-1)];
    steps = [];
    const recording = (async () => {
      const observed = (await Promise.all(batches)).flat();
      await previous;
      if (observed.length > 0) await recordProbes({ ...context, now: () => until }, observed);
      probes += observed.length;
      recordedUntil = until;
      onStep(until, probes);
    })();
    // This prevents an unhandled rejection. The error is thrown where the promise is awaited.
    recording.catch(() => undefined);
    pending.push(recording);
  };
  return {
    add: async (at: number, observed: Promise<readonly ObservedProbe[]>): Promise<void> => {
      last = at;
      steps.push(observed);
      if (steps.length >= STEPS_PER_RECORD) flush();
      if (pending.length > MAX_PENDING_RECORDS) await pending.shift();
    },
    end: async (): Promise<number> => {
      flush();
      await Promise.all(pending);
      return recordedUntil;
    },
    /** Waits until every probe and every recording has ended, with success or with an error. */
    settle: async (): Promise<void> => {
      await Promise.allSettled([...pending, ...steps]);
    },
  };
}

type Utilization = ReturnType<typeof performance.eventLoopUtilization>;

/** Waits until the event loop has been busy for at most 85 % of the time since the measurement `since`. */
async function waitUntilIdle(since: Utilization): Promise<Utilization> {
  const { active, idle } = performance.eventLoopUtilization(since);
  await sleep(Math.max(0, active / MAX_BUSY_SHARE - active - idle));
  return performance.eventLoopUtilization();
}
