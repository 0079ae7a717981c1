import { claimDueEndpoints, type ClaimedEndpoint } from '@touchstone/store';
import type { PipelineContext } from './context.ts';
import { askInLanes } from './host-lanes.ts';
import { observe, type Observed } from './observe.ts';
import { mannersOfThisProcess } from './manners.ts';
import {
  DEADLINE_SECONDS,
  methodsOf,
  probeClaimed,
  type BatchLimits,
  type BatchSummary,
} from './probe-claimed.ts';

export interface SweepLimits extends BatchLimits {
  /** Slots claimed at once. */
  readonly batch: number;
  /** Longer than a batch takes, or two workers probe the same slots. */
  readonly leaseSeconds: number;
}

export const SWEEP_LIMITS: SweepLimits = { batch: 500, inFlight: 48, perHost: 2, leaseSeconds: 300 };

export interface SweepSummary extends BatchSummary {
  readonly claimed: number;
}

const NOTHING: SweepSummary = {
  claimed: 0,
  recorded: 0,
  dropped: 0,
  changed: 0,
  unkept: 0,
  handedBack: 0,
  letGo: 0,
  excluded: 0,
  latenciesDropped: 0,
  lagMsP99: 0,
  lagMsMax: 0,
  cpuSeconds: 0,
  cpuShare: 0,
};

/** Claims what is due, probes it and records it as the answers come: one batch. */
export async function sweep(
  context: PipelineContext,
  limits: SweepLimits = SWEEP_LIMITS,
): Promise<SweepSummary> {
  const claimed = await claim(context, limits);
  if (claimed.length === 0) return NOTHING;
  return { claimed: claimed.length, ...(await probeClaimed(context, claimed, limits)) };
}

/** Two batches as one: counts and processor time add up, of lag and share the worse one stands. */
export function addSweeps(one: SweepSummary, other: SweepSummary): SweepSummary {
  return {
    claimed: one.claimed + other.claimed,
    recorded: one.recorded + other.recorded,
    dropped: one.dropped + other.dropped,
    changed: one.changed + other.changed,
    unkept: one.unkept + other.unkept,
    handedBack: one.handedBack + other.handedBack,
    letGo: one.letGo + other.letGo,
    excluded: one.excluded + other.excluded,
    latenciesDropped: one.latenciesDropped + other.latenciesDropped,
    lagMsP99: Math.max(one.lagMsP99, other.lagMsP99),
    lagMsMax: Math.max(one.lagMsMax, other.lagMsMax),
    cpuSeconds: one.cpuSeconds + other.cpuSeconds,
    cpuShare: Math.max(one.cpuShare, other.cpuShare),
  };
}

/** Takes the slots that are due now, of each host no more than can be asked of it before the deadline. */
export function claim(context: PipelineContext, limits: SweepLimits): Promise<readonly ClaimedEndpoint[]> {
  const { perHostPerSecond } = context.manners ?? mannersOfThisProcess;
  return claimDueEndpoints(context.db, {
    owner: context.owner,
    now: context.now(),
    limit: limits.batch,
    leaseSeconds: limits.leaseSeconds,
    hostSuffix: context.hostSuffix,
    hostLimit: hostLimitOf(context, limits),
    hostPerSecond: perHostPerSecond,
    confirming: limits.confirming ?? false,
  });
}

/** How many slots of one host can be asked before the deadline of a batch. */
export function hostLimitOf(
  { manners = mannersOfThisProcess }: Pick<PipelineContext, 'manners'>,
  limits: Pick<SweepLimits, 'batch' | 'deadlineSeconds'>,
): number {
  const inTime = Math.floor(manners.perHostPerSecond * (limits.deadlineSeconds ?? DEADLINE_SECONDS));
  return Math.min(Math.max(1, inTime), limits.batch);
}

/** Nobody to be polite to: in virtual time two probes of a host are half an hour apart. */
const unhurried = { heldUntil: () => null, restMs: () => 0, start: () => Promise.resolve(true) };

/**
 * Probes claimed endpoints within the limits and records nothing: for a past that is lived through on a virtual clock,
 * and for tests.
 */
export async function probe(
  context: PipelineContext,
  claimed: readonly ClaimedEndpoint[],
  limits: Pick<SweepLimits, 'inFlight' | 'perHost'>,
): Promise<readonly Observed[]> {
  const observed: Observed[] = [];
  const ask = async (endpoint: ClaimedEndpoint): Promise<void> => {
    const at = context.now();
    const answer = await context.prober({ url: endpoint.probeUrl, methods: methodsOf(endpoint) });
    observed.push(observe(endpoint, answer, at));
  };
  const { signal: stop } = new AbortController();
  const order = { items: claimed, ask, limits, manners: unhurried, urgent: false, now: context.now, stop };
  await askInLanes(order);
  return observed;
}
