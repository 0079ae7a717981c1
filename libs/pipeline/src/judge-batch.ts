import type { PipelineContext } from './context.ts';
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
  /** Takes what came since the last call, in order, and leaves in it what may be held against an endpoint. */
  readonly judge: (slice: readonly Observed[]) => Promise<readonly Observed[]>;
  readonly judgement: () => SelfJudgement;
}

/** Whether there are canaries and none of them gives an HTTP answer, whatever it says. */
async function areSilent(canaries: PipelineContext['canaries']): Promise<boolean> {
  if (canaries === undefined || canaries.urls.length === 0) return false;
  const { urls, prober } = canaries;
  const probes = await Promise.all(urls.map((url) => prober({ url, methods: ['GET'] })));
  return probes.every(({ httpStatus }) => httpStatus === null);
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
 * Judges a batch slice by slice, before each is recorded. The canaries are asked when the batch begins and again for
 * every slice with a miss in it: what was missed between two rounds of which one found no canary is our own failure.
 * Answers that did come are kept.
 */
export function startJudge(context: Pick<PipelineContext, 'canaries'>, meter: LagMeter): BatchJudge {
  let before = areSilent(context.canaries);
  // It is waited for with the first miss; until then nobody would hear of a rejection.
  before.catch(() => undefined);
  let excluded = 0;
  let latenciesDropped = 0;

  const isOurFault = async (): Promise<boolean> => {
    const [earlier, now] = [before, areSilent(context.canaries)];
    before = now;
    return (await Promise.all([earlier, now])).includes(true);
  };
  const excludeOurs = async (slice: readonly Observed[]): Promise<readonly Observed[]> => {
    if (!slice.some(isMiss) || !(await isOurFault())) return slice;
    excluded += slice.filter(isMiss).length;
    return slice.map((observed) => (isMiss(observed) ? asOurs(observed) : observed));
  };
  return {
    judge: async (slice) => {
      const isBusy = meter.recentLagMs() > LAG_LIMIT_MS;
      if (isBusy) latenciesDropped += slice.filter((one) => one.observation.latencyMs !== null).length;
      return excludeOurs(isBusy ? slice.map(withoutLatency) : slice);
    },
    judgement: () => ({ excluded, latenciesDropped }),
  };
}
