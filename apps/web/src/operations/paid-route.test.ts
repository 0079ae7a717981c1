import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPaidRoute } from './paid-route.ts';

beforeAll(() => {
  vi.stubEnv('SUPABASE_URL', 'http://127.0.0.1:1');
  vi.stubEnv('SUPABASE_PUBLISHABLE_KEY', 'publishable');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'secret');
  vi.stubEnv('BASE_URL', 'https://touchstone.example');
});
afterAll(() => {
  vi.unstubAllEnvs();
  globalThis.touchstoneValues = undefined;
});

/** Operation that no test buys. */
const OPERATION = {} as Parameters<typeof createPaidRoute>[0];
const send = async (method: 'GET' | 'POST', headers: Record<string, string> = {}) => {
  const request = new Request('http://localhost/v1/x402-trust', { method, headers });
  const response = await createPaidRoute(OPERATION)[method](request);
  return { status: response.status, body: (await response.json()) as object };
};
const PAYMENTS = [{ 'payment-signature': 'eyJ9' }, { 'x-payment': 'eyJ9' }];

describe.each([
  ['POST', 503],
  ['GET', 405],
] as const)('a %s request to a service that sells nothing', (method, status) => {
  it('has notCharged without a payment', async () => {
    expect(await send(method)).toMatchObject({ status, body: { notCharged: true } });
  });

  it.each(PAYMENTS)(
    'has no notCharged with %j, which an earlier request may have settled',
    async (headers) => {
      const reply = await send(method, headers);
      expect(reply.status).toBe(status);
      expect(JSON.stringify(reply.body)).not.toMatch(/notCharged|nothing was charged/i);
    },
  );
});
