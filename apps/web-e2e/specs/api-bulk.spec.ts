import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { createPayment, pay, post, readBuyerAddress } from '../support/payment/buyer.ts';
import { readTransfers } from '../support/payment/chain.ts';
import { readDemoWalletKey, readPaymentRows } from '../support/service-files.ts';
import { expect, test } from '../support/shared-service.ts';

const HEALTHY = 'https://fxline.sandbox.test/v1/rates/latest';
/** Endpoint whose payTo address changed four days ago. */
const CHANGED = 'https://mintcheck.sandbox.test/v1/nft/rarity';
const UNKNOWN = 'https://unknown.example/v1/rates';
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
/** Price of each size in atomic units of USDC. */
const PRICES = [
  [10, 45_000n],
  [50, 200_000n],
  [100, 325_000n],
  [200, 400_000n],
  [500, 500_000n],
] as const;

const receiptSchema = z.object({ success: z.boolean(), transaction: z.string() });
const challengeSchema = z.object({ accepts: z.array(z.object({ amount: z.string() })) });

const decode = (header: string | null): unknown =>
  JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8'));

for (const [size, price] of PRICES) {
  test(`up to ${size} scores cost ${price} atomic units of USDC`, async () => {
    const response = await post(`/v1/x402-trust-bulk-${size}`, { resources: [HEALTHY] });
    expect(response.status).toBe(402);
    const { accepts } = challengeSchema.parse(decode(response.headers.get('payment-required')));
    expect(accepts.map(({ amount }) => amount)).toEqual([String(price)]);
  });
}

test('a purchase returns the scores in the order of the request', async () => {
  const resources = [CHANGED, UNKNOWN, HEALTHY, 'HTTPS://FXLINE.sandbox.test:443/v1/rates/latest'];
  const response = await pay('/v1/x402-trust-bulk-10', { resources });
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toContain('no-store');
  const body: unknown = await response.json();
  const healthy = { found: true, grade: 'A', recommendation: 'proceed', error_flags: [] };
  expect(body).toMatchObject({
    schemaType: 'x402-trust-bulk',
    count: 4,
    found: 3,
    results: [
      { resource: CHANGED, found: true, recommendation: 'avoid', error_flags: ['payto-changed-recently'] },
      { resource: UNKNOWN, found: false, score: null, error_flags: null, endpointPage: null },
      { resource: HEALTHY, ...healthy },
      { resource: resources[3], ...healthy },
    ],
  });
  const receipt = receiptSchema.parse(decode(response.headers.get('payment-response')));
  expect(receipt.success).toBe(true);
  const payer = readBuyerAddress();
  const rows = await readPaymentRows(receipt.transaction);
  expect(rows).toMatchObject([
    { route: 'POST /v1/x402-trust-bulk-10', payer, state: 'settled', amount: 45_000 },
  ]);
  expect(rows[0]?.resource).toMatch(/^bulk:[0-9a-f]{64}$/);
  expect(await readTransfers(receipt.transaction)).toEqual([
    { asset: USDC, from: payer, to: rows[0]?.pay_to, amount: 45_000n },
  ]);
});

test('500 scores are sold at once', async () => {
  const resources = Array.from({ length: 500 }, (_, index) =>
    index % 2 === 0 ? HEALTHY : `https://unknown-${index}.example/v1/rates`,
  );
  const response = await pay('/v1/x402-trust-bulk-500', { resources });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ count: 500, found: 250 });
});

test('a request whose endpoints are all unknown is not charged, and its payment stays usable', async () => {
  const path = '/v1/x402-trust-bulk-10';
  const account = privateKeyToAccount(readDemoWalletKey());
  const payment = await createPayment(account, path, { resources: [UNKNOWN] });
  const refused = await post(path, { resources: [UNKNOWN, 'http://127.0.0.1/'] }, payment);
  expect(refused.status).toBe(404);
  expect(refused.headers.has('payment-response')).toBe(false);
  expect(await refused.json()).toMatchObject({
    ...{ code: 'unknown-resource', notCharged: true, instance: path },
  });
  const sold = await post(path, { resources: [HEALTHY] }, payment);
  expect(sold.status).toBe(200);
});

test('an invalid list is refused with the mistake, and is not charged', async () => {
  for (const [resources, mistake] of [
    [[], 'resources'],
    [Array.from({ length: 11 }, () => HEALTHY), 'resources'],
    [[HEALTHY, 'weather'], 'resources.1'],
    [HEALTHY, 'resources'],
  ] as const) {
    const response = await pay('/v1/x402-trust-bulk-10', { resources });
    expect(response.status).toBe(400);
    expect(response.headers.has('payment-response')).toBe(false);
    expect(await response.json()).toMatchObject({
      ...{ code: 'invalid-request', notCharged: true, errors: [{ path: mistake }] },
    });
  }
});

test('other sizes and other methods do not exist', async () => {
  expect((await post('/v1/x402-trust-bulk-20', { resources: [HEALTHY] })).status).toBe(404);
  const get = await fetch(`${process.env['TOUCHSTONE_URL'] ?? ''}/v1/x402-trust-bulk-10`);
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});
