import { setTimeout as sleep } from 'node:timers/promises';
import {
  claimDueSlots,
  discover,
  PROBE_INTERVAL_SECONDS,
  probeWithoutRecording,
  recordProbes,
  scoreChanged,
  settle,
  type BatchLimits,
  type ObservedProbe,
  type PipelineContext,
} from '@touchstone/pipeline';
import type { SandboxControl } from './sandbox-control.ts';

const STEP_MS = PROBE_INTERVAL_SECONDS * 1000;
/** Number of steps between two directory readings. */
const DISCOVER_EVERY = 6;
/** Number of steps between two score runs: one simulated day. */
const SCORE_EVERY = 48;
/** Number of steps that are recorded in one call. */
const STEPS_PER_RECORD = 6;
/** Maximum number of record calls that wait for slow responses while later steps run. */
const MAX_PENDING_RECORDS = 16;
/**
 * Time in which all requests of a step arrive at their endpoints. An endpoint determines its response when the request
 * arrives, so the clock must not change earlier.
 */
const ARRIVAL_MS = 50;
/** Maximum share of time that the event loop is busy. Above it, measured latencies become too long. */
const MAX_BUSY_SHARE = 0.85;

/** Limits of a step. `perHost` can be high, because probes of one host are 30 simulated minutes apart. */
const LIMITS: BatchLimits = {
  batchSize: 500,
  inFlight: 256,
  perHost: 64,
  // Leases expire on the simulated clock, which advances one day in a few seconds.
  leaseSeconds: 30 * 24 * 3600,
};

export interface TimeLapse {
  readonly context: PipelineContext;
  readonly control: SandboxControl;
  /** Simulated start time, in milliseconds since 1970. The time-lapse ends when the simulated time reaches real time. */
  readonly from: number;
  /** Simulated time of the last directory reading of an interrupted run; earlier readings are not repeated. */
  readonly discoveredUntil: number;
  readonly onDiscovered: (at: number) => void;
  /** Called when all steps up to a simulated time are recorded. */
  readonly onStep: (recordedUntil: number, probes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Simulates the past of the sandbox in steps of 30 minutes on a simulated clock, with the same discovery, probes, records
 * and scores as in real time. Slow responses are awaited while later steps run, and recorded in order.
 *
 * @returns the simulated time up to which everything is recorded
 */
export async function runTimeLapse(lapse: TimeLapse): Promise<number> {
  const { context, control, from, onStep, signal } = lapse;
  const recorder = createRecorder(context, onStep, from);
  let utilization = performance.eventLoopUtilization();
  let step = 0;
  const claimAt = (at: number) =>
    at <= Date.now() ? claimDueSlots({ ...context, now: () => at }, LIMITS) : null;
  let next = claimAt(from + STEP_MS);
  for (let at = from + STEP_MS; next !== null && !signal.aborted; at += STEP_MS, step += 1) {
    const stepContext: PipelineContext = { ...context, now: () => at };
    const claimed = await next;
    await control.setClock(at);
    if (step % DISCOVER_EVERY === 0 && at > lapse.discoveredUntil) {
      await discover(stepContext);
      lapse.onDiscovered(at);
    }
    // All probes of a step have the time of the step, and are recorded with it.
    const observed = probeWithoutRecording(stepContext, claimed, LIMITS);
    next = claimAt(at + STEP_MS);
    await Promise.all([Promise.race([observed, sleep(ARRIVAL_MS)]), next]);
    await recorder.add(at, observed);
    if (step % SCORE_EVERY === SCORE_EVERY - 1) {
      // The agents' payments can lag behind the clock. All payments of a day must be on the chain before it is scored.
      await control.waitForPayments(at, signal);
      await settle(stepContext);
      await scoreChanged(stepContext);
    }
    utilization = await waitUntilIdle(utilization);
  }
  const recordedUntil = await recorder.end();
  await control.waitForPayments(recordedUntil, signal);
  const end: PipelineContext = { ...context, now: () => recordedUntil };
  await settle(end);
  await scoreChanged(end);
  return recordedUntil;
}

/** Records steps in order. Several steps share one call, which waits for their slowest response. */
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
    // A failure is handled where the promise is awaited. This prevents an unhandled rejection before that.
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
  };
}

type Utilization = ReturnType<typeof performance.eventLoopUtilization>;

/** Waits until the event loop was idle for its minimum share of the time since a measurement. */
async function waitUntilIdle(since: Utilization): Promise<Utilization> {
  const { active, idle } = performance.eventLoopUtilization(since);
  await sleep(Math.max(0, active / MAX_BUSY_SHARE - active - idle));
  return performance.eventLoopUtilization();
}
