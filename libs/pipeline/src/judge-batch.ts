import type { WasOurFault } from './canary-watch.ts';
import { LAG_LIMIT_MS, type LagMeter } from './lag-meter.ts';
import type { Observed } from './observe.ts';

/** What a batch says about ourselves rather than about those it asked. */
export interface SelfJudgement {
  /** Misses that are not held against anybody, because no canary answered either. */
  readonly excluded: number;
  /** Latencies that do not count, because this process was too busy to measure them. */
  readonly latenciesDropped: number;
}

export interface BatchJudge {
  /** To be told of each answer when it comes, so that what was missed is looked into at once. */
  readonly notice: (observed: Observed) => void;
  /** Takes what came since the last call, in order, and leaves in it what may be held against an endpoint. */
  readonly judge: (slice: readonly Observed[]) => Promise<readonly Observed[]>;
  readonly judgement: () => SelfJudgement;
}

/** A whole answer that says 404 or 500 is none: somebody was there to send it. */
const isMiss = ({ observation }: Observed): boolean =>
  observation.vitality === 'down' && observation.failure !== null && !observation.excluded;

/** What is left of a miss that is our own. */
function asOurs(observed: Observed): Observed {
  return { ...observed, observation: { ...observed.observation, excluded: true } };
}

/** The outcome stands; how long it took is not known. */
function withoutLatency(observed: Observed): Observed {
  const unknown = { latencyMs: null, bucket: null, resolveMs: null, connectMs: null, tlsMs: null };
  return {
    ...observed,
    observation: { ...observed.observation, ...unknown, processingMs: null, transferMs: null },
  };
}

/**
 * Judges a batch slice by slice, before each is recorded. What was missed through our own fault is held against nobody;
 * answers that did come are kept.
 */
export function startJudge(wasOurFault: WasOurFault, meter: LagMeter): BatchJudge {
  const verdicts = new WeakMap<Observed, Promise<boolean>>();
  let excluded = 0;
  let latenciesDropped = 0;

  const verdictOn = (miss: Observed): Promise<boolean> => {
    const verdict = verdicts.get(miss) ?? wasOurFault();
    verdicts.set(miss, verdict);
    return verdict;
  };
  const excludeOurs = async (observed: Observed): Promise<Observed> => {
    if (!isMiss(observed) || !(await verdictOn(observed))) return observed;
    excluded += 1;
    return asOurs(observed);
  };
  return {
    notice: (observed) => {
      // Whoever judges it hears of a rejection; until then nobody would.
      if (isMiss(observed)) verdictOn(observed).catch(() => undefined);
    },
    judge: async (slice) => {
      const isBusy = meter.recentLagMs() > LAG_LIMIT_MS;
      const judged = await Promise.all(slice.map(excludeOurs));
      if (!isBusy) return judged;
      latenciesDropped += slice.filter((one) => one.observation.latencyMs !== null).length;
      return judged.map(withoutLatency);
    },
    judgement: () => ({ excluded, latenciesDropped }),
  };
}
