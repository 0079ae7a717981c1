import { RATE_POLICIES, type RatePolicy } from '@touchstone/contract';
import { describe, expect, it, vi } from 'vitest';
import { getProcessValue } from '../../platform/process-value.ts';
import { useTestDatabase } from '../../testing/test-database.ts';
import { createProcessCounter } from './process-counter.ts';

const { getModules } = useTestDatabase(() => {
  vi.stubEnv('TRUSTED_PROXIES', '1');
  return import('./limiters.ts');
});

const PAYMENT = { 'payment-signature': 'eyJ9' };
const OTHER_CLIENT = '198.51.100.1';
const { paid, unpaid } = RATE_POLICIES;

/** Uses up the limit of a client under a policy, except for one request. */
const leaveOne = (client: string, policy: RatePolicy) =>
  getProcessValue('rate-limit-counter', () => createProcessCounter(Date.now)).replace(client, policy, {
    ...{ allowed: true, remaining: 1, resetsAt: Date.now() + 60_000 },
  });

/**
 * Sends a request of a client to the limiter of paid operations. The limited handler responds with the given status.
 */
function post(client: string, status: number, headers: Readonly<Record<string, string>> = {}) {
  const request = new Request('https://touchstone.example/v1/x402-trust', {
    method: 'POST',
    headers: { 'x-forwarded-for': client, ...headers },
  });
  return getModules().limitPaidRequests(request, () => Promise.resolve(new Response('', { status })));
}

describe('limitPaidRequests', () => {
  it.each([
    ['requests without a payment', '203.0.113.1', {}, 402, unpaid],
    ['payments that fail', '203.0.113.2', PAYMENT, 402, paid],
    ['payments', '203.0.113.3', PAYMENT, 200, paid],
    ['payments of version 1', '203.0.113.5', { 'x-payment': 'eyJ9' }, 200, paid],
  ] as const)('limits %s by client', async (...[, client, headers, status, policy]) => {
    leaveOne(client, policy);
    expect((await post(client, status, headers)).status).toBe(status);
    const refused = await post(client, status, headers);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    const { name, limit, windowSeconds } = policy;
    expect(refused.headers.get('ratelimit-policy')).toContain(`"${name}";q=${limit};w=${windowSeconds}`);
    expect((await post(OTHER_CLIENT, status, headers)).status).toBe(status);
  });

  it('accepts a payment from an address that has used up the limit for challenges', async () => {
    const client = '203.0.113.4';
    leaveOne(client, unpaid);
    expect([(await post(client, 402)).status, (await post(client, 402)).status]).toEqual([402, 429]);
    expect((await post(client, 200, PAYMENT)).status).toBe(200);
  });
});
