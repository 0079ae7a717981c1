import { BAD_TARGET_CODE } from '../outcome/failure.ts';
import type { Probe } from '../types.ts';

/** Parses a target. Returns null unless it is an absolute http or https URL with a usable port. */
export function parseTarget(target: string): URL | null {
  const url = URL.parse(target);
  if (url === null || url.port === '0') return null;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

/** Returns the result for a target to which no request can be sent. */
export function createInvalidTargetProbe(url: string, method = 'GET'): Probe {
  return {
    url,
    method,
    outcome: 'protocol-error',
    httpStatus: null,
    phases: { resolve: null, connect: null, tls: null, processing: null, transfer: null },
    latencyMs: null,
    totalMs: 0,
    headers: [],
    body: null,
    bodyTruncated: false,
    remoteAddress: null,
    retryAfterSeconds: null,
    failure: {
      phase: 'resolve',
      code: BAD_TARGET_CODE,
      message: 'not an http or https URL with a usable port',
    },
  };
}
