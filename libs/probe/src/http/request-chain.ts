import {
  getMethodAfterRedirect,
  MAX_REDIRECTS,
  measureHeaders,
  NODE_HEADER_LIMIT_BYTES,
  type Redirect,
} from '@touchstone/common';
import { HEADERS_TOO_LARGE_CODE } from '../outcome/classify-outcome.ts';
import type { Phase, PhaseTimings, Probe } from '../types.ts';
import { createUnsentProbe, NO_RESPONSE, type RequestContext } from './request-context.ts';
import { readRedirectTarget, requestOnce, type RequestInput } from './request-once.ts';

/**
 * Function that waits until a request to the host of a redirect target may start. Resolves to false when the request
 * must not be sent.
 *
 * @param host host name as in a URL, without port
 */
type AcquireHost = (host: string) => Promise<boolean>;

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
    const url = readRedirectTarget({ status, headers: latest.headers }, request);
    if (url === null) return probe;
    if (measureHeaders(latest.headers) >= NODE_HEADER_LIMIT_BYTES) return toFailedProbe(probe);
    if (!followsRedirects) return probe;
    const method = getMethodAfterRedirect(status, request.method);
    const totalMs = input.totalMs - probe.totalMs;
    redirects.push({ status, url: url.href });
    if (url.hostname !== request.url.hostname && !(await acquireHost(url.hostname)))
      return createUnsentProbe({
        url: input.target,
        method: input.method,
        outcome: 'self-failure',
        totalMs: probe.totalMs,
        redirects,
        failure: NO_START,
      });
    request = { ...input, url, method, totalMs };
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

/** Returns the probe of a redirect whose headers are too large for every client with fetch of Node.js. */
function toFailedProbe(probe: Probe): Probe {
  const { redirects, interimStatuses } = probe;
  const message = 'the headers of a redirect are too large';
  const failure = { phase: 'transfer', code: HEADERS_TOO_LARGE_CODE, message } as const;
  return { ...probe, ...NO_RESPONSE, redirects, interimStatuses, outcome: 'protocol-error', failure };
}

/** Reason why the next request of a chain was not sent. */
const NO_START = {
  phase: 'resolve',
  code: 'ERR_HOST_LIMIT',
  message: 'the endpoint redirects to a host whose rate limit allowed no request in time',
} as const;
