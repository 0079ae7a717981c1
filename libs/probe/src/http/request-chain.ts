import { MAX_REDIRECTS, type Redirect } from '@touchstone/common';
import type { Phase, PhaseTimings, Probe } from '../types.ts';
import { getMethodAfterRedirect, readRedirectTarget } from './redirect-target.ts';
import { NO_PHASES, NO_RESPONSE, type RequestContext } from './request-context.ts';
import { requestOnce, type RequestInput } from './request-once.ts';

/**
 * Function that waits until a request to the host of a redirect target may start. Resolves to false when the request
 * must not be sent, also after the signal was aborted.
 *
 * @param host host name as in a URL, without port
 */
export type AcquireHost = (host: string, signal: AbortSignal) => Promise<boolean>;

/**
 * Sends a request, and follows redirects as the Fetch standard does. Each request has a new connection. The response
 * and the address in the result are those of the last request. Durations in the result are sums over all requests. The
 * time that `acquireHost` waits counts neither as a duration nor against the deadline.
 *
 * @returns the probe; `self-failure` when `acquireHost` does not allow a request
 */
export async function requestChain(
  input: RequestInput,
  context: RequestContext,
  acquireHost: AcquireHost,
): Promise<Probe> {
  let request = input;
  let probe: Probe | null = null;
  const redirects: Redirect[] = [];
  for (;;) {
    const followsRedirects = redirects.length < MAX_REDIRECTS;
    const latest = await requestOnce({ ...request, followsRedirects }, context);
    probe = { ...addEarlier(probe, latest), method: input.method, redirects };
    const status = latest.httpStatus ?? 0;
    const url = readRedirectTarget({ status, headers: latest.headers }, request.url);
    if (!followsRedirects || url === null) return probe;
    const totalMs = input.totalMs - probe.totalMs;
    redirects.push({ status, url: url.href });
    if (url.hostname !== request.url.hostname) {
      // Timers of Node need whole, positive milliseconds.
      const signal = AbortSignal.timeout(Math.max(1, Math.ceil(totalMs)));
      if (!(await acquireHost(url.hostname, signal))) return toUnsentProbe(probe);
    }
    request = { ...input, url, method: getMethodAfterRedirect(status, request.method), totalMs };
  }
}

/** Adds the durations and interim responses of the earlier requests of a chain to the probe of the latest request. */
function addEarlier(earlier: Probe | null, latest: Probe): Probe {
  if (earlier === null) return latest;
  const { totalMs } = earlier;
  return {
    ...latest,
    phases: addPhases(earlier.phases, latest.phases),
    latencyMs: latest.latencyMs === null ? null : totalMs + latest.latencyMs,
    totalMs: totalMs + latest.totalMs,
    interimStatuses: [...earlier.interimStatuses, ...latest.interimStatuses],
  };
}

/** Adds phases. A phase that the latest request did not finish is null. */
function addPhases(earlier: PhaseTimings, latest: PhaseTimings): PhaseTimings {
  const add = (phase: Phase): number | null => {
    const ms = latest[phase];
    return ms === null ? null : (earlier[phase] ?? 0) + ms;
  };
  return {
    resolve: add('resolve'),
    connect: add('connect'),
    tls: add('tls'),
    processing: add('processing'),
    transfer: add('transfer'),
  };
}

/** Returns the probe of a chain whose next request was not sent because of our own limits. */
function toUnsentProbe({ url, method, totalMs, redirects }: Probe): Probe {
  return {
    url,
    method,
    outcome: 'self-failure',
    phases: NO_PHASES,
    latencyMs: null,
    totalMs,
    remoteAddress: null,
    ...NO_RESPONSE,
    redirects,
    failure: {
      phase: 'resolve',
      code: 'ERR_HOST_LIMIT',
      message: 'the limits of the prober allow no request to the host of the redirect target',
    },
  };
}
