import { setTimeout as sleep } from 'node:timers/promises';
import type { Probe } from '@touchstone/probe';
import { startLagMeter } from '../probing/event-loop-lag.ts';
import { processRateLimiter } from '../host-rate-limiter.ts';
import { toObservedProbe, type ObservedProbe } from '../probing/observe.ts';
import { createProbeTarget } from '../probing/probe-claimed.ts';
import { createSelfFailureFilter, getSharedCanaryCheck } from '../probing/self-inflicted-failures.ts';
import type { ReportContext } from './report-context.ts';

/**
 * Maximum time that a report waits for its probe, in milliseconds. The time includes the wait for the rate limiter and
 * the requests with all HTTP methods.
 */
export const MAX_LIVE_PROBE_MS = 5_000;
/** Maximum wait for the rate limiter of the host, in milliseconds. */
const MAX_RATE_LIMIT_WAIT_MS = 1_000;

/** Endpoint to probe for a report. */
export interface LiveTarget {
  readonly endpointId: string;
  readonly host: string;
  readonly url: string;
  readonly declaredMethod: string | null;
  readonly challengedMethod: string | null;
  /** Ids of the facilitators of recent payments to the endpoint; empty when none is known. */
  readonly settledThrough: readonly string[];
}

export interface LiveObservation {
  readonly kind: 'observed';
  readonly observed: ObservedProbe;
  readonly probe: Probe;
  /** Start of the probe, in milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds until the response, or until the probe failed. */
  readonly tookMs: number;
}

/** Failure of our own network, which says nothing about the endpoint. */
interface OwnFailure {
  readonly kind: 'own-failure';
}

/** Result of a live probe. */
export type LiveResult =
  | LiveObservation
  | OwnFailure
  /** No request was sent, because the host is paused or its rate limit is exhausted. */
  | { readonly kind: 'rate-limited' }
  /**
   * There is no result within the time limit. The probe continues, because the endpoint may respond later; `later`
   * resolves to the result of the probe.
   */
  | { readonly kind: 'late'; readonly later: Promise<LiveObservation | OwnFailure> };

/**
 * Probes an endpoint for a report, within the rate limits and with the same canary check as scheduled probes. Records
 * nothing.
 */
export async function probeLive(context: ReportContext, target: LiveTarget): Promise<LiveResult> {
  const { rateLimiter = processRateLimiter, now } = context;
  const { host } = target;
  if (rateLimiter.getPausedUntil(host, now()) !== null) return { kind: 'rate-limited' };
  const timer = new AbortController();
  const timeout = sleep(context.maxLiveProbeMs ?? MAX_LIVE_PROBE_MS, null, { signal: timer.signal }).catch(
    () => null,
  );
  try {
    const signal = AbortSignal.timeout(MAX_RATE_LIMIT_WAIT_MS);
    if (!(await rateLimiter.acquire({ host, isUrgent: true, signal }))) return { kind: 'rate-limited' };
    const later = probeTarget({ ...context, rateLimiter }, target);
    // Prevents an unhandled rejection after the time limit. The race below reports an earlier rejection.
    later.catch(() => undefined);
    return (await Promise.race([later, timeout])) ?? { kind: 'late', later };
  } finally {
    timer.abort();
  }
}

async function probeTarget(
  { prober, canaries, rateLimiter, now }: ReportContext & Required<Pick<ReportContext, 'rateLimiter'>>,
  target: LiveTarget,
): Promise<LiveObservation | OwnFailure> {
  const at = now();
  const startedAt = performance.now();
  const meter = startLagMeter();
  try {
    const probe = await prober({ ...createProbeTarget(target.url, target), isUrgent: true });
    const tookMs = Math.round(performance.now() - startedAt);
    rateLimiter.recordResponse(target.host, probe, now());
    const result = toObservedProbe({ ...target, slotAt: null }, probe, at);
    const ownFailures = createSelfFailureFilter(getSharedCanaryCheck(canaries), meter);
    const [observed = result] = await ownFailures.apply([result]);
    if (observed.observation.excluded) return { kind: 'own-failure' };
    return { kind: 'observed', observed, probe, at, tookMs };
  } finally {
    meter.stop();
  }
}
