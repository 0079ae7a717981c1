import { setTimeout as sleep } from 'node:timers/promises';
import type { Probe } from '@touchstone/probe';
import { canaryWatchOf } from './canary-watch.ts';
import { startJudge } from './judge-batch.ts';
import { startLagMeter } from './lag-meter.ts';
import { mannersOfThisProcess } from './manners.ts';
import { observe, type Observed } from './observe.ts';
import { methodsOf } from './probe-claimed.ts';
import type { ReportContext } from './report-context.ts';

/** A report waits no longer than this for the endpoint, with all methods and whatever has to be waited for before. */
const LIVE_MS = 5_000;
/** Of these, how long a host that is asked often may keep it waiting. */
const PACE_MS = 1_000;

/** Whom to ask, and how. */
export interface LiveTarget {
  readonly endpointId: string;
  readonly host: string;
  readonly url: string;
  readonly declaredMethod: string | null;
  readonly challengedMethod: string | null;
}

export interface Sight {
  readonly kind: 'seen';
  readonly observed: Observed;
  readonly probe: Probe;
  /** When it was asked, milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds until the answer, or the miss. */
  readonly tookMs: number;
}

/** Nothing is known of the endpoint: our own failure. */
interface OwnFailure {
  readonly kind: 'own-failure';
}

/** What came of a live probe. */
export type Look =
  | Sight
  | OwnFailure
  /** Nobody was asked: the host wants to be left alone, or is asked too often already. */
  | { readonly kind: 'held' }
  /** No result in time. The probe goes on, because with more time the endpoint may well answer. */
  | { readonly kind: 'late'; readonly later: Promise<Sight | OwnFailure> };

/** Probes an endpoint for a report, with the manners and the doubts of any other probe. Records nothing. */
export async function lookLive(context: ReportContext, target: LiveTarget): Promise<Look> {
  const { manners = mannersOfThisProcess, now } = context;
  const { host } = target;
  if (manners.heldUntil(host, now()) !== null) return { kind: 'held' };
  const timer = new AbortController();
  const isLate = sleep(LIVE_MS, null, { signal: timer.signal }).catch(() => null);
  try {
    const signal = AbortSignal.timeout(PACE_MS);
    if (!(await manners.start({ host, urgent: true, signal }))) return { kind: 'held' };
    const later = ask({ ...context, manners }, target);
    // Whoever waits for it hears of a failure.
    later.catch(() => undefined);
    return (await Promise.race([later, isLate])) ?? { kind: 'late', later };
  } finally {
    timer.abort();
  }
}

async function ask(
  { prober, canaries, manners, now }: ReportContext & Required<Pick<ReportContext, 'manners'>>,
  target: LiveTarget,
): Promise<Sight | OwnFailure> {
  const at = now();
  const startedAt = performance.now();
  const meter = startLagMeter();
  try {
    const probe = await prober({ url: target.url, methods: methodsOf(target) });
    const tookMs = Math.round(performance.now() - startedAt);
    manners.learn(target.host, probe, now());
    const seen = observe({ endpointId: target.endpointId, slotAt: null }, probe, at);
    const [observed = seen] = await startJudge(canaryWatchOf(canaries), meter).judge([seen]);
    if (observed.observation.excluded) return { kind: 'own-failure' };
    return { kind: 'seen', observed, probe, at, tookMs };
  } finally {
    meter.stop();
  }
}
