import { setTimeout as sleep } from 'node:timers/promises';
import type { PipelineContext } from '../context.ts';
import { MAX_LAG_MS, type LagMeter } from './event-loop-lag.ts';
import type { ObservedProbe } from './observe.ts';

type Canaries = NonNullable<PipelineContext['canaries']>;

/** Resolves to true when a miss is our own failure, because no canary responded either. */
export type CanaryCheck = () => Promise<boolean>;

/** Minimum interval between two rounds of canary requests. Canaries belong to third parties. */
const CANARY_INTERVAL_MS = 10_000;

/** Resolves to true when none of the canaries sends an HTTP response, whatever its status. */
async function areUnreachable({ urls, prober }: Canaries): Promise<boolean> {
  const probes = await Promise.all(urls.map((url) => prober({ url, methods: ['GET'] })));
  return probes.every(({ httpStatus }) => httpStatus === null);
}

/**
 * Creates a check that probes the canaries in rounds, only while there are misses. All misses of the same time share a
 * round.
 *
 * Each miss is judged by the next round that begins after it. The previous round counts too when it is no older than two
 * intervals. When no canary responded in either of them, the miss is our own failure.
 *
 * @param intervalMs - Minimum milliseconds from the start of one round to the start of the next. A verdict takes at most
 * this long, plus the duration of a round.
 * @returns The check. It rejects when the prober of the canaries rejects.
 */
export function createCanaryCheck(
  canaries: Canaries | undefined,
  intervalMs = CANARY_INTERVAL_MS,
): CanaryCheck {
  if (canaries === undefined || canaries.urls.length === 0) return () => Promise.resolve(false);
  let lastRound = { beganAt: -Infinity, areUnreachable: Promise.resolve(false) };
  let nextRound: Promise<boolean> | null = null;
  const beginRound = async (): Promise<boolean> => {
    const waitMs = lastRound.beganAt + intervalMs - performance.now();
    // Sleeps even for 0 ms, so that the round begins after the miss that requested it.
    await sleep(Math.max(0, waitMs));
    nextRound = null;
    lastRound = { beganAt: performance.now(), areUnreachable: areUnreachable(canaries) };
    return lastRound.areUnreachable;
  };
  return async () => {
    const isRecent = performance.now() - lastRound.beganAt <= 2 * intervalMs;
    const before = isRecent ? lastRound.areUnreachable : false;
    nextRound ??= beginRound();
    return (await Promise.all([before, nextRound])).includes(true);
  };
}

const sharedChecks = new WeakMap<Canaries, CanaryCheck>();

/** Returns the check that all batches of this process share for the same canaries. */
export function getSharedCanaryCheck(canaries: Canaries | undefined): CanaryCheck {
  const known = canaries && sharedChecks.get(canaries);
  if (known !== undefined) return known;
  const check = createCanaryCheck(canaries);
  if (canaries !== undefined) sharedChecks.set(canaries, check);
  return check;
}

/** Numbers of results and latencies of a batch that were excluded because of our own failures. */
export interface ExclusionCounts {
  /** Misses excluded from uptime because no canary responded. */
  readonly excluded: number;
  /** Latencies dropped because this process was too busy to measure them. */
  readonly latenciesDropped: number;
}

export interface SelfFailureFilter {
  /** Starts the canary check of a miss. Call it for each result as soon as it arrives. */
  readonly noteResult: (observed: ObservedProbe) => void;
  /** Returns the results since the previous call, in order, without the effects of our own failures. */
  readonly apply: (slice: readonly ObservedProbe[]) => Promise<readonly ObservedProbe[]>;
  readonly getCounts: () => ExclusionCounts;
}

/** A complete response is no miss, even with status 404 or 500: it proves that our own network works. */
const isMiss = ({ observation }: ObservedProbe): boolean =>
  observation.vitality === 'down' && observation.failure !== null && !observation.excluded;

function toExcluded(observed: ObservedProbe): ObservedProbe {
  return { ...observed, observation: { ...observed.observation, excluded: true } };
}

/** Keeps the outcome of a probe and removes its timings. */
function removeTimings(observed: ObservedProbe): ObservedProbe {
  const unknown = { latencyMs: null, bucket: null, resolveMs: null, connectMs: null, tlsMs: null };
  return {
    ...observed,
    observation: { ...observed.observation, ...unknown, processingMs: null, transferMs: null },
  };
}

/**
 * Creates a filter that removes the effects of our own failures from the results of a batch, slice by slice, before they
 * are recorded. A miss without a reachable canary is marked as excluded. Timings measured by a busy process are removed.
 * Responses are always kept.
 */
export function createSelfFailureFilter(isOurFailure: CanaryCheck, meter: LagMeter): SelfFailureFilter {
  const verdicts = new WeakMap<ObservedProbe, Promise<boolean>>();
  let excluded = 0;
  let latenciesDropped = 0;

  const getVerdict = (miss: ObservedProbe): Promise<boolean> => {
    const verdict = verdicts.get(miss) ?? isOurFailure();
    verdicts.set(miss, verdict);
    return verdict;
  };
  const excludeOwnMiss = async (observed: ObservedProbe): Promise<ObservedProbe> => {
    if (!isMiss(observed) || !(await getVerdict(observed))) return observed;
    excluded += 1;
    return toExcluded(observed);
  };
  return {
    noteResult: (observed) => {
      // `apply` awaits the same promise and reports its rejection; here it would be an unhandled one.
      if (isMiss(observed)) getVerdict(observed).catch(() => undefined);
    },
    apply: async (slice) => {
      const isBusy = meter.getRecentLagMs() > MAX_LAG_MS;
      const filtered = await Promise.all(slice.map(excludeOwnMiss));
      if (!isBusy) return filtered;
      latenciesDropped += slice.filter((one) => one.observation.latencyMs !== null).length;
      return filtered.map(removeTimings);
    },
    getCounts: () => ({ excluded, latenciesDropped }),
  };
}
