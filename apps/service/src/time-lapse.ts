import { setTimeout as sleep } from 'node:timers/promises';
import {
  claim,
  discover,
  PROBE_INTERVAL_SECONDS,
  probe,
  record,
  scoreChanged,
  settle,
  type Observed,
  type PipelineContext,
  type SweepLimits,
} from '@touchstone/pipeline';
import type { SandboxWorld } from './sandbox-world.ts';

const STEP_MS = PROBE_INTERVAL_SECONDS * 1000;
const DISCOVER_EVERY = 6;
const SCORE_EVERY = 48;
/** Steps that are recorded in one call. */
const STEPS_A_RECORD = 6;
/** Records whose slow answers are waited for while time goes on. */
const OPEN_RECORDS = 16;
/** Within this time every request of a step has arrived at its endpoint, which then knows what time it is. */
const ARRIVAL_MS = 50;
/** Share of the time the event loop may be busy: above it a prober invents latency. */
const BUSY_LIMIT = 0.85;

/** In virtual time two probes of a host are half an hour apart, however close they are in real time. */
const LIMITS: SweepLimits = {
  batch: 500,
  inFlight: 256,
  perHost: 64,
  // Leases are measured on the virtual clock, which passes a day every few seconds.
  leaseSeconds: 30 * 24 * 3600,
};

export interface TimeLapse {
  readonly context: PipelineContext;
  readonly world: SandboxWorld;
  /** Milliseconds since the epoch; the end is the real time at which it arrives there. */
  readonly from: number;
  /** When the directory was last read by an earlier time-lapse of the same past: it is not read again before. */
  readonly discoveredUntil: number;
  readonly onDiscovered: (at: number) => void;
  /** Everything up to this time is recorded. */
  readonly onStep: (livedUntil: number, probes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Lives through the past of the sandbox with a virtual clock, half an hour a step, through the same discovery, probes,
 * records and scores as in real time. Slow answers are waited for beside later steps, and recorded in order.
 * @returns the virtual time up to which everything is recorded.
 */
export async function runTimeLapse(lapse: TimeLapse): Promise<number> {
  const { context, world, from, onStep, signal } = lapse;
  const recorder = createRecorder(context, onStep, from);
  let busy = performance.eventLoopUtilization();
  let step = 0;
  const claimAt = (at: number) => (at <= Date.now() ? claim({ ...context, now: () => at }, LIMITS) : null);
  let next = claimAt(from + STEP_MS);
  for (let at = from + STEP_MS; next !== null && !signal.aborted; at += STEP_MS, step += 1) {
    const then: PipelineContext = { ...context, now: () => at };
    const claimed = await next;
    await world.setClock(at);
    if (step % DISCOVER_EVERY === 0 && at > lapse.discoveredUntil) {
      await discover(then);
      lapse.onDiscovered(at);
    }
    // Everything of a step is seen at the time of the step, and recorded under it.
    const observed = probe(then, claimed, LIMITS);
    next = claimAt(at + STEP_MS);
    await Promise.all([Promise.race([observed, sleep(ARRIVAL_MS)]), next]);
    await recorder.add(at, observed);
    if (step % SCORE_EVERY === SCORE_EVERY - 1) {
      // Agents come behind the clock; a day's payments are on the chain before the day is judged.
      await world.settled(at, signal);
      await settle(then);
      await scoreChanged(then);
    }
    busy = await breathe(busy);
  }
  const recordedUntil = await recorder.end();
  await world.settled(recordedUntil, signal);
  const end: PipelineContext = { ...context, now: () => recordedUntil };
  await settle(end);
  await scoreChanged(end);
  return recordedUntil;
}

/** Records steps in order, several in one call, each when its slowest answer is there. */
function createRecorder(context: PipelineContext, onStep: TimeLapse['onStep'], from: number) {
  const open: Promise<void>[] = [];
  let steps: Promise<readonly Observed[]>[] = [];
  let last = from;
  let recordedUntil = from;
  let probes = 0;
  const flush = (): void => {
    const [until, batches, before] = [last, steps, open.at(-1)];
    steps = [];
    const writing = (async () => {
      const observed = (await Promise.all(batches)).flat();
      await before;
      if (observed.length > 0) await record({ ...context, now: () => until }, observed);
      probes += observed.length;
      recordedUntil = until;
      onStep(until, probes);
    })();
    // Whoever waits for it next hears of a failure; until then it is not an unhandled one.
    writing.catch(() => undefined);
    open.push(writing);
  };
  return {
    add: async (at: number, observed: Promise<readonly Observed[]>): Promise<void> => {
      last = at;
      steps.push(observed);
      if (steps.length >= STEPS_A_RECORD) flush();
      if (open.length > OPEN_RECORDS) await open.shift();
    },
    end: async (): Promise<number> => {
      flush();
      await Promise.all(open);
      return recordedUntil;
    },
  };
}

type Utilization = ReturnType<typeof performance.eventLoopUtilization>;

/** Waits until the event loop was idle for its share of the time since `since`. */
async function breathe(since: Utilization): Promise<Utilization> {
  const { active, idle } = performance.eventLoopUtilization(since);
  await sleep(Math.max(0, active / BUSY_LIMIT - active - idle));
  return performance.eventLoopUtilization();
}
