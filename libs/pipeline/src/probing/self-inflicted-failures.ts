import { setTimeout as sleep } from 'node:timers/promises';
import type { PipelineContext } from '../context.ts';
import { MAX_LAG_MS, type LagMeter } from './event-loop-lag.ts';
import type { ObservedProbe } from './observe.ts';

type Canaries = NonNullable<PipelineContext['canaries']>;

/**
 * Function that checks a failed probe (miss). Resolves to true when the miss is our own failure, because no canary
 * responded at that time.
 */
export type CanaryCheck = () => Promise<boolean>;

/**
 * Minimum interval between two rounds of canary requests, in milliseconds. The interval protects the canaries, which
 * belong to third parties.
 */
const CANARY_INTERVAL_MS = 10_000;

/** Resolves to true when no canary sends an HTTP response. A response with any status counts. */
async function areUnreachable({ urls, prober }: Canaries): Promise<boolean> {
  const probes = await Promise.all(urls.map((url) => prober({ url, methods: ['GET'] })));
  return probes.every(({ httpStatus }) => httpStatus === null);
}

/**
 * Creates a check for failed probes (misses). The check requests all canaries in rounds, and only while there are
 * misses. Misses that wait at the same time share a round.
 *
 * A miss is our own failure in two cases: no canary responded in the next round that begins after the miss, or no canary
 * responded in the previous round, and the previous round is at most two intervals old.
 *
 * @param intervalMs Minimum milliseconds between the starts of two rounds. A check takes at most this interval plus the
 * duration of a round.
 * @returns Check that rejects when the prober of the canaries rejects.
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
    // Sleeps even if `waitMs` is not positive, so that the round begins after the miss that requested the round.
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

/** Returns the canary check that all batches of this process share for the same canaries. */
export function getSharedCanaryCheck(canaries: Canaries | undefined): CanaryCheck {
  const known = canaries && sharedChecks.get(canaries);
  if (known !== undefined) return known;
  const check = createCanaryCheck(canaries);
  if (canaries !== undefined) sharedChecks.set(canaries, check);
  return check;
}

/** Numbers of results and latencies of a batch that were excluded because of our own failures. */
export interface ExclusionCounts {
  /** Number of misses that were excluded from uptime because no canary responded. */
  readonly excluded: number;
  /** Number of latencies that were dropped because this process was too busy to measure them correctly. */
  readonly latenciesDropped: number;
}

export interface SelfFailureFilter {
  /** Starts the canary check if the result is a miss. The caller passes each result as soon as the result arrives. */
  readonly noteResult: (observed: ObservedProbe) => void;
  /**
   * Returns a slice of results in the same order, without the effects of our own failures. A slice contains all results
   * since the previous call.
   */
  readonly apply: (slice: readonly ObservedProbe[]) => Promise<readonly ObservedProbe[]>;
  readonly getCounts: () => ExclusionCounts;
}

/**
 * Returns true for a probe that failed without a complete response. A response with status 404 or 500 is complete and
 * proves that our own network works.
 */
const isMiss = ({ observation }: ObservedProbe): boolean =>
  observation.vitality === 'down' && observation.failurePhase !== 'response' && !observation.excluded;

/** Keeps the outcome of a probe and removes its timings. */
function removeTimings(observed: ObservedProbe): ObservedProbe {
  const timings = { latencyMs: null, bucket: null, responseMs: null, responseBucket: null };
  return { ...observed, observation: { ...observed.observation, ...timings } };
}

/**
 * Creates a filter that removes the effects of our own failures from the results of a batch before they are recorded.
 * The filter processes the results slice by slice. A miss is marked as excluded when no canary responded. Timings are
 * removed when this process was too busy to measure them. Responses are always kept.
 */
export function createSelfFailureFilter(isOurFailure: CanaryCheck, meter: LagMeter): SelfFailureFilter {
  const checks = new WeakMap<ObservedProbe, Promise<boolean>>();
  let excluded = 0;
  let latenciesDropped = 0;

  /** Starts the check of a miss at the first call, and returns the same promise at each later call. */
  const checkOnce = (miss: ObservedProbe): Promise<boolean> => {
    const check = checks.get(miss) ?? isOurFailure();
    checks.set(miss, check);
    return check;
  };
  const excludeOwnMiss = async (observed: ObservedProbe): Promise<ObservedProbe> => {
    if (!isMiss(observed) || !(await checkOnce(observed))) return observed;
    excluded += 1;
    return { ...observed, observation: { ...observed.observation, excluded: true } };
  };
  return {
    noteResult: (observed) => {
      // The rejection is ignored here, because `apply` awaits the same promise and reports the rejection.
      if (isMiss(observed)) checkOnce(observed).catch(() => undefined);
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
