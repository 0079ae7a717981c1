import pLimit from 'p-limit';
import { claimDueEndpoints, type ClaimedEndpoint } from '@touchstone/store';
import type { PipelineContext } from './context.ts';
import { observe, type Observed } from './observe.ts';
import { record, type RecordSummary } from './record.ts';

export interface SweepLimits {
  /** Slots claimed at once. */
  readonly batch: number;
  /** Probes in flight. */
  readonly inFlight: number;
  /** Probes in flight to one host: politeness. */
  readonly perHost: number;
  readonly leaseSeconds: number;
}

export const SWEEP_LIMITS: SweepLimits = { batch: 500, inFlight: 48, perHost: 2, leaseSeconds: 300 };

export interface SweepSummary extends RecordSummary {
  readonly claimed: number;
}

/** Claims what is due, probes it and records it: one batch, one call for each of the two ends. */
export async function sweep(
  context: PipelineContext,
  limits: SweepLimits = SWEEP_LIMITS,
): Promise<SweepSummary> {
  const claimed = await claim(context, limits);
  if (claimed.length === 0) return { claimed: 0, recorded: 0, dropped: 0, changed: 0 };
  return { claimed: claimed.length, ...(await record(context, await probe(context, claimed, limits))) };
}

/** Takes the slots that are due now. */
export function claim(context: PipelineContext, limits: SweepLimits): Promise<readonly ClaimedEndpoint[]> {
  return claimDueEndpoints(context.db, {
    owner: context.owner,
    now: context.now(),
    limit: limits.batch,
    leaseSeconds: limits.leaseSeconds,
    hostSuffix: context.hostSuffix,
  });
}

/** Probes claimed endpoints within the limits. */
export async function probe(
  context: PipelineContext,
  claimed: readonly ClaimedEndpoint[],
  limits: Pick<SweepLimits, 'inFlight' | 'perHost'>,
): Promise<readonly Observed[]> {
  const overall = pLimit(limits.inFlight);
  const hosts = new Map<string, ReturnType<typeof pLimit>>();
  const ofHost = (host: string) => {
    const known = hosts.get(host) ?? pLimit(limits.perHost);
    hosts.set(host, known);
    return known;
  };
  const one = async (endpoint: ClaimedEndpoint): Promise<Observed> => {
    const at = context.now();
    return observe(
      endpoint,
      await context.prober({ url: endpoint.probeUrl, methods: methodsOf(endpoint) }),
      at,
    );
  };
  return Promise.all(claimed.map((endpoint) => ofHost(endpoint.host)(() => overall(() => one(endpoint)))));
}

/** The method that was challenged before, then the listed one, then GET and POST. */
function methodsOf({ challengedMethod, declaredMethod }: ClaimedEndpoint): readonly string[] {
  const wanted = [challengedMethod, declaredMethod, 'GET', 'POST'].filter((method) => method !== null);
  return [...new Set(wanted)];
}
