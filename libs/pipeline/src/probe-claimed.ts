import { handBackSlots, type ClaimedEndpoint } from '@touchstone/store';
import { canaryWatchOf } from './canary-watch.ts';
import type { PipelineContext } from './context.ts';
import { askInLanes, type Unasked } from './host-lanes.ts';
import { startJudge, type SelfJudgement } from './judge-batch.ts';
import { startLagMeter, type Effort } from './lag-meter.ts';
import { mannersOfThisProcess } from './manners.ts';
import { observe } from './observe.ts';
import { record, type RecordSummary } from './record.ts';
import { startSliceRecorder } from './slice-recorder.ts';

export interface BatchLimits {
  /** Probes in flight. */
  readonly inFlight: number;
  /** Probes in flight to one host: politeness. */
  readonly perHost: number;
  /** Second looks at misses and nothing else, which go before everything else that this process asks. */
  readonly confirming?: boolean | undefined;
  /** Nothing is started later than this; a probe that is under way may take its 10 s more. */
  readonly deadlineSeconds?: number | undefined;
  /** Results are recorded when there are this many, or when the first of them is this old. */
  readonly sliceSize?: number | undefined;
  readonly sliceSeconds?: number | undefined;
}

/** A minute for a batch with its last probes, so that one host that never answers does not hold the others' slots. */
export const DEADLINE_SECONDS = 45;
const SLICE_SIZE = 100;
const SLICE_SECONDS = 10;

export interface BatchSummary extends RecordSummary, SelfJudgement, Effort {
  /** Slots that were due but not asked for want of time: due again at once. */
  readonly handedBack: number;
  /** Slots that were let go because their host asked for a pause. */
  readonly letGo: number;
}

/** The method that was challenged before, then the listed one, then GET and POST. */
export function methodsOf({
  challengedMethod,
  declaredMethod,
}: Pick<ClaimedEndpoint, 'challengedMethod' | 'declaredMethod'>): readonly string[] {
  const wanted = [challengedMethod, declaredMethod, 'GET', 'POST'].filter((method) => method !== null);
  return [...new Set(wanted)];
}

/**
 * Probes slots that this worker holds, politely, and records them slice by slice. What could not be asked is no
 * miss: it is handed back. Rejects when the database does, after what is under way has come to its end.
 */
export async function probeClaimed(
  context: PipelineContext,
  claimed: readonly ClaimedEndpoint[],
  limits: BatchLimits,
): Promise<BatchSummary> {
  const { manners = mannersOfThisProcess } = context;
  const stop = new AbortController();
  const deadline = setTimeout(() => stop.abort(), (limits.deadlineSeconds ?? DEADLINE_SECONDS) * 1000);
  const meter = startLagMeter();
  const { notice, judge, judgement } = startJudge(canaryWatchOf(context.canaries), meter);
  const recorder = startSliceRecorder({
    sliceSize: limits.sliceSize ?? SLICE_SIZE,
    sliceSeconds: limits.sliceSeconds ?? SLICE_SECONDS,
    judge,
    record: (slice) => record(context, slice),
    onFailure: () => stop.abort(),
  });
  const ask = async (endpoint: ClaimedEndpoint): Promise<void> => {
    const at = context.now();
    const probe = await context.prober({ url: endpoint.probeUrl, methods: methodsOf(endpoint) });
    manners.learn(endpoint.host, probe, context.now());
    const observed = observe(endpoint, probe, at);
    notice(observed);
    recorder.add(observed);
  };
  try {
    const unasked = await askInLanes({
      items: claimed,
      ask,
      limits,
      manners,
      urgent: limits.confirming ?? false,
      now: context.now,
      stop: stop.signal,
    });
    const recorded = await recorder.end();
    return { ...recorded, ...(await handBack(context, unasked)), ...judgement(), ...meter.stop() };
  } finally {
    clearTimeout(deadline);
    meter.stop();
    // Ends the timer of its slices in any case; whoever failed first is the one who is heard.
    await recorder.end().catch(() => undefined);
  }
}

async function handBack(
  { db, owner }: PipelineContext,
  { held, late }: Unasked<ClaimedEndpoint>,
): Promise<{ handedBack: number; letGo: number }> {
  return {
    handedBack: await handBackSlots(db, { owner, slots: late, again: true }),
    letGo: await handBackSlots(db, { owner, slots: held, again: false }),
  };
}
