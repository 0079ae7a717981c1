import type { ProbeTarget } from '@touchstone/probe';
import { releaseSlots, type ClaimedEndpoint } from '@touchstone/store';
import { readDeclaredMethod } from '@touchstone/x402';
import type { PipelineContext } from '../context.ts';
import { startLagMeter } from './event-loop-lag.ts';
import { runHostQueues, type Unprobed } from './host-queues.ts';
import { processRateLimiter } from '../host-rate-limiter.ts';
import { toObservedProbe, type ObservedProbe } from './observe.ts';
import { recordProbes, startSliceRecorder, type RecordSummary, type SliceLimits } from './record.ts';
import {
  createSelfFailureFilter,
  getSharedCanaryCheck,
  type ExclusionCounts,
} from './self-inflicted-failures.ts';

export interface ProbeLimits extends Partial<SliceLimits> {
  /** Maximum number of concurrent probes. */
  readonly inFlight: number;
  /** Maximum number of concurrent probes of one host. */
  readonly perHost: number;
  /**
   * True for a batch that claims only rechecks of misses. The probes of this batch start before all other probes of
   * this process.
   */
  readonly isRecheck?: boolean | undefined;
  /** Time after which no further probe is started, in seconds. A probe in flight may take 10 seconds longer. */
  readonly deadlineSeconds?: number | undefined;
}

/** Result of probing claimed slots of the probe schedule. */
export interface ProbedSummary extends RecordSummary, ExclusionCounts {
  /** 99th percentile of the event-loop lag of this process during the batch, in milliseconds. */
  readonly lagMsP99: number;
  /** Number of slots that were not probed before the deadline. Released slots are due again immediately. */
  readonly released: number;
  /** Number of slots that were skipped because their host is paused. Each endpoint is due again at its next slot. */
  readonly skipped: number;
}

/**
 * Default deadline of a batch, in seconds. A batch ends after about a minute, so a host that never responds does not
 * block other slots.
 */
export const DEFAULT_DEADLINE_SECONDS = 45;
const DEFAULT_SLICE: SliceLimits = { sliceSize: 100, sliceSeconds: 10 };

/**
 * Creates the target of a probe. These HTTP methods are tried, without duplicates: the method that last received a
 * challenge, the method in the directory listing, GET and POST. The method that the challenge declares is requested in
 * addition.
 */
export function createProbeTarget(
  url: string,
  { challengedMethod, declaredMethod }: Pick<ClaimedEndpoint, 'challengedMethod' | 'declaredMethod'>,
): ProbeTarget {
  const methods = [challengedMethod, declaredMethod, 'GET', 'POST'].filter((method) => method !== null);
  return { url, methods: [...new Set(methods)], readDeclaredMethod };
}

/**
 * Probes claimed slots within the rate limits and records the results in slices. Slots that could not be probed are
 * released and do not count as misses. When the database fails, the function rejects after all probes in flight have
 * ended.
 */
export async function probeClaimed(
  context: PipelineContext,
  claimed: readonly ClaimedEndpoint[],
  limits: ProbeLimits,
): Promise<ProbedSummary> {
  const { rateLimiter = processRateLimiter } = context;
  const stop = new AbortController();
  const deadlineMs = (limits.deadlineSeconds ?? DEFAULT_DEADLINE_SECONDS) * 1000;
  const deadline = setTimeout(() => stop.abort(), deadlineMs);
  const meter = startLagMeter();
  const ownFailures = createSelfFailureFilter(getSharedCanaryCheck(context.canaries), meter);
  const recorder = startSliceRecorder({
    sliceSize: limits.sliceSize ?? DEFAULT_SLICE.sliceSize,
    sliceSeconds: limits.sliceSeconds ?? DEFAULT_SLICE.sliceSeconds,
    filter: ownFailures.apply,
    record: (slice) => recordProbes(context, slice),
    onFailure: () => stop.abort(),
  });
  const probe = async (endpoint: ClaimedEndpoint): Promise<void> => {
    const { observed, result } = await probeEndpoint(context, endpoint);
    rateLimiter.recordResponse(endpoint.host, result, context.now());
    ownFailures.noteResult(observed);
    recorder.add(observed);
  };
  try {
    const unprobed = await runHostQueues({
      items: claimed,
      probe,
      limits,
      rateLimiter,
      isUrgent: limits.isRecheck ?? false,
      now: context.now,
      stop: stop.signal,
    });
    const recorded = await recorder.end();
    const releases = await releaseUnprobed(context, unprobed);
    return { ...recorded, ...releases, ...ownFailures.getCounts(), lagMsP99: meter.stop() };
  } finally {
    clearTimeout(deadline);
    meter.stop();
    // Stops the timer of the recorder. The error of a slice is ignored here, so that the first error is reported.
    await recorder.end().catch(() => undefined);
  }
}

async function probeEndpoint({ now, prober }: PipelineContext, endpoint: ClaimedEndpoint) {
  const at = now();
  const result = await prober(createProbeTarget(endpoint.probeUrl, endpoint));
  return { result, observed: toObservedProbe(endpoint, result, at) };
}

async function releaseUnprobed(
  { db, owner }: PipelineContext,
  { paused, late }: Unprobed<ClaimedEndpoint>,
): Promise<Pick<ProbedSummary, 'released' | 'skipped'>> {
  return {
    released: await releaseSlots(db, { owner, slots: late, requeue: true }),
    skipped: await releaseSlots(db, { owner, slots: paused, requeue: false }),
  };
}

/**
 * Rate limiter without limits. The time-lapse needs no limits, because probes of one host are 30 virtual minutes apart.
 */
const unlimited = {
  getPausedUntil: () => null,
  getDelayMs: () => 0,
  acquire: () => Promise.resolve(true),
};

/**
 * Probes claimed endpoints within the concurrency limits, but without rate limits, and records nothing. Tests and the
 * time-lapse of the sandbox use this function. The time-lapse has a virtual clock.
 */
export async function probeWithoutRecording(
  context: PipelineContext,
  claimed: readonly ClaimedEndpoint[],
  limits: Pick<ProbeLimits, 'inFlight' | 'perHost'>,
): Promise<readonly ObservedProbe[]> {
  const observed: ObservedProbe[] = [];
  const probe = async (endpoint: ClaimedEndpoint): Promise<void> => {
    observed.push((await probeEndpoint(context, endpoint)).observed);
  };
  const { signal: stop } = new AbortController();
  await runHostQueues({
    items: claimed,
    probe,
    limits,
    rateLimiter: unlimited,
    isUrgent: false,
    now: context.now,
    stop,
  });
  return observed;
}
