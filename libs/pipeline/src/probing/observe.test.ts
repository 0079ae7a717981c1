import type { Probe } from '@touchstone/probe';
import { toLatencyBucket } from '@touchstone/trust';
import { describe, expect, it } from 'vitest';
import { toObservedProbe } from './observe.ts';

function createProbe(change: Partial<Probe>): Probe {
  return {
    url: 'https://endpoint.example/',
    method: 'GET',
    outcome: 'free',
    httpStatus: 200,
    phases: { resolve: 10, connect: 20, tls: 30, processing: 40, transfer: 300 },
    latencyMs: 100,
    totalMs: 400,
    headers: [],
    body: '{}',
    bodyEnd: 'complete',
    redirects: [],
    interimStatuses: [],
    declaredMethod: null,
    remoteAddress: '192.0.2.1',
    retryAfterSeconds: null,
    failure: null,
    ...change,
  };
}

function observe(change: Partial<Probe>) {
  return toObservedProbe(
    { endpointId: 'aaaaaaaaaa', slotAt: null, settledThrough: [] },
    createProbe(change),
    0,
  ).observation;
}

describe('toObservedProbe', () => {
  it('measures the time to the last byte beside the time to the first byte', () => {
    expect(observe({})).toMatchObject({
      latencyMs: 100,
      bucket: toLatencyBucket(100),
      responseMs: 400,
      responseBucket: toLatencyBucket(400),
      failure: null,
      failurePhase: null,
      failureDetail: null,
    });
  });

  it('counts the response time of successful probes only', () => {
    expect(observe({ outcome: 'server-error', httpStatus: 500 })).toMatchObject({
      responseMs: 400,
      responseBucket: null,
      failure: 'http-500',
      failurePhase: 'response',
      failureDetail: 'HTTP 500 Internal Server Error.',
    });
  });

  it('measures no response time when the response is incomplete', () => {
    const failure = { phase: 'transfer', code: 'ECONNRESET', message: 'closed' } as const;
    const phases = { resolve: 10, connect: 20, tls: 30, processing: 40, transfer: null };
    const incomplete = { outcome: 'connect-error', failure, phases, bodyEnd: 'closed' } as const;
    expect(observe(incomplete)).toMatchObject({
      responseMs: null,
      responseBucket: null,
      failure: 'connection-reset',
      failurePhase: 'transfer',
    });
    expect(observe({ bodyEnd: 'size-limit' })).toMatchObject({
      responseMs: null,
      bucket: toLatencyBucket(100),
    });
  });

  it('has no cause for our own failure', () => {
    const failure = { phase: 'connect', code: 'ENETUNREACH', message: 'no route' } as const;
    const own = { outcome: 'self-failure', httpStatus: null, latencyMs: null, failure } as const;
    expect(observe(own)).toMatchObject({ excluded: true, failure: null, failureDetail: null });
  });

  it('judges a challenge by the facilitators of recent payments', () => {
    const option = {
      ...{ scheme: 'exact', network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
      ...{ amount: '100', payTo: `0x${'2'.repeat(40)}`, maxTimeoutSeconds: 60 },
      extra: { name: 'USD Coin', version: '2' },
    };
    const resource = {
      url: 'https://endpoint.example/',
      description: 'x'.repeat(501),
      mimeType: 'application/json',
    };
    const envelope = { x402Version: 2, resource, accepts: [option] };
    const headers = [['payment-required', Buffer.from(JSON.stringify(envelope)).toString('base64')]] as const;
    const probe = createProbe({ outcome: 'challenged', httpStatus: 402, headers });
    const slot = { endpointId: 'aaaaaaaaaa', slotAt: null, settledThrough: ['coinbase'] };
    const finding = { id: 'facilitator-description', axis: 'payable' };
    const failed: unknown = expect.arrayContaining([expect.objectContaining(finding)]);
    expect(toObservedProbe(slot, probe, 0).challenge?.challenge).toMatchObject({ failed });
  });
});
