import type { Probe } from '@touchstone/probe';
import { createCheckFacts, type CheckFacts } from '../create-check.ts';
import { createResponse, RESOURCE_URL, toResult } from './results.ts';

const NOW = Date.UTC(2026, 10, 27);

const PROBE: Probe = {
  ...{
    url: RESOURCE_URL,
    method: 'GET',
    outcome: 'challenged',
    httpStatus: 402,
    latencyMs: 80.06,
    totalMs: 90.04,
  },
  phases: { resolve: 1.26, connect: 2, tls: 3, processing: 74, transfer: null },
  ...{
    headers: [],
    body: '{}',
    bodyEnd: 'complete',
    redirects: [],
    interimStatuses: [],
    declaredMethod: null,
  },
  ...{ remoteAddress: null, retryAfterSeconds: null, failure: null },
  tls: { protocol: 'TLSv1.3', validTo: '2027-01-20T23:59:59.000Z' },
};

/** Returns the facts of a check of a response. */
export function createFacts(response = createResponse()): CheckFacts {
  return createCheckFacts({ ...toResult(response), probe: PROBE }, NOW);
}
