import { generateKeyPairSync } from 'node:crypto';
import { problemSchema, SCHEMAS } from '@touchstone/contract';
import { purchaseRecordSchema } from '@touchstone/contract/operations/purchase/schemas';
import { verifySignature } from '@touchstone/trust';
import { beforeEach, expect, it, vi } from 'vitest';
import { PURCHASE_ROW } from '../../testing/database-rows.ts';
import { useTestDatabase } from '../../testing/test-database.ts';

// The page cache of Next needs a running server.
vi.mock('next/cache', () => ({ unstable_cache: (read: () => unknown) => read }));

const { database, getModules } = useTestDatabase(async () => {
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  vi.stubEnv('REPORT_SIGNING_KEYS', JSON.stringify(key));
  return {
    ...(await import('./purchase-routes.ts')),
    ...(await import('../../platform/config/configured-keys.ts')),
  };
});
beforeEach(() => database.reset());

const get = (path: string) => {
  const { purchaseRoute, deliveryLedgerRoute } = getModules();
  const { GET } = path.startsWith('/delivery') ? deliveryLedgerRoute : purchaseRoute;
  return GET(new Request(`https://touchstone.example${path}`));
};

it('responds with the signed record of a published purchase', async () => {
  const response = await get(`/v1/purchases/${PURCHASE_ROW.id}`);
  expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  const record = purchaseRecordSchema.parse(await response.json());
  expect(record).toMatchObject({
    endpointPage: 'https://touchstone.example/endpoint/api-example-com-weather-xvdduuxtfa',
    payment: { amountUsd: '0.010000', charged: true },
    response: { status: 502 },
    outcome: 'paid-not-delivered',
  });
  const keys = await getModules().getSigningKeys();
  const checked = await verifySignature(record, keys?.published ?? { keys: [] }, globalThis.crypto.subtle);
  expect(checked.outcome).toBe('valid');
});

it.each([
  [`p_${'a'.repeat(26)}`, 1],
  ['p_short', 0],
  ['%E0%A4%A', 0],
])('knows no purchase %s, after %i calls of the database', async (id, calls) => {
  const response = await get(`/v1/purchases/${id}`);
  const { code, detail } = problemSchema.parse(await response.json());
  expect([response.status, code]).toEqual([404, 'unknown-resource']);
  expect(detail).toContain('/delivery.json');
  expect(database.listCalls()).toHaveLength(calls);
});

it('responds with the ledger, which has the budget and a count for each outcome', async () => {
  vi.stubEnv('DELIVERY_BUDGET', 'purchase=0.05 endpoint=0.10 day=1 total=25');
  const ledger = SCHEMAS['delivery-ledger'].schema.parse(await (await get('/delivery.json')).json());
  expect(ledger).toMatchObject({
    wallets: ['0xa'],
    budget: { perPurchaseUsd: '0.050000', perEndpointWeekUsd: '0.100000', totalUsd: '25.000000' },
    spent: { todayUsd: '0.000000', totalUsd: '0.010000', purchases: 1 },
    outcomes: { 'paid-not-delivered': 1, delivered: 0 },
  });
});
