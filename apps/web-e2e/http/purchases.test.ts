import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { pay, readBuyerAddress } from '../support/payment/buyer.ts';
import { readTransfers } from '../support/payment/chain.ts';
import { readReceipt } from '../support/payment/exact-sale.ts';
import { sendRaw } from '../support/raw-request.ts';
import { waitUntilSearchable } from '../support/searchable.ts';
import { readPaymentRows } from '../support/service-files.ts';
import { getSiteUrl } from '../support/site-request.ts';

const HEALTHY = 'https://fxline.sandbox.test/v1/rates/latest';
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
/** Endpoint whose payTo address changed four days ago. */
const CHANGED = 'https://mintcheck.sandbox.test/v1/nft/rarity';
const UNKNOWN = 'https://unknown.example/v1/rates';
const QUERY = 'exchange rates of currencies';
/** Search result for the query. */
const FOUND = expect.objectContaining({
  resource: expect.stringContaining('//fxline.sandbox.test/') as unknown,
}) as unknown;

interface Purchase {
  readonly path: string;
  /** Price in atomic units of USDC. */
  readonly price: bigint;
  readonly body: Readonly<Record<string, unknown>>;
  /** Expected value of the column `resource` in the payments table. */
  readonly resource: string;
  /** Expected members of the response. */
  readonly expected: Readonly<Record<string, unknown>>;
}

/** Creates a purchase about the healthy endpoint. */
const createPurchase = (path: string, price: bigint): Purchase => ({
  ...{ path, price, resource: HEALTHY },
  ...{ body: { resource: HEALTHY }, expected: { resource: HEALTHY } },
});

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The test of the clients buys a report and a watch. */
const PURCHASES: readonly Purchase[] = [
  createPurchase('/v1/x402-history', 20_000n),
  {
    ...{ path: '/v1/semantic-search', price: 1_000n, resource: `query:${hash(QUERY)}` },
    ...{
      body: { query: ` ${QUERY}\n` },
      expected: { query: QUERY, matches: expect.arrayContaining([FOUND]) as unknown },
    },
  },
  createPurchase('/v1/similar', 5_000n),
];

/**
 * Expects the payment to be on the chain with the right price and recipient, and to be one row of the payments table.
 */
async function expectPaid({ path, price, resource }: Purchase, response: Response): Promise<void> {
  const receipt = readReceipt(response);
  expect(receipt).toMatchObject({ success: true, network: 'eip155:8453' });
  const payer = readBuyerAddress();
  const rows = await readPaymentRows(receipt.transaction);
  expect(rows).toMatchObject([
    { route: `POST ${path}`, resource, payer, state: 'settled', amount: Number(price) },
  ]);
  const to = rows[0]?.pay_to;
  expect(await readTransfers(receipt.transaction)).toEqual([{ asset: USDC, from: payer, to, amount: price }]);
}

beforeAll(waitUntilSearchable);

it.each(PURCHASES)('a payment buys $path', async (purchase) => {
  const response = await pay(purchase.path, purchase.body);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toContain('no-store');
  expect(await response.json()).toMatchObject(purchase.expected);
  await expectPaid(purchase, response);
});

it('scores of many endpoints are sold in the order of the request', async () => {
  const resources = [CHANGED, UNKNOWN, HEALTHY, 'HTTPS://FXLINE.sandbox.test:443/v1/rates/latest'];
  const response = await pay('/v1/x402-trust-bulk-10', { resources });
  const healthy = { found: true, grade: 'A', recommendation: 'proceed', error_flags: [] };
  expect(await response.json()).toMatchObject({
    ...{ schemaType: 'x402-trust-bulk', count: 4, found: 3 },
    results: [
      { resource: CHANGED, found: true, recommendation: 'avoid', error_flags: ['payto-changed-recently'] },
      { resource: UNKNOWN, found: false, score: null, error_flags: null, endpointPage: null },
      { resource: HEALTHY, ...healthy },
      { resource: resources[3], ...healthy },
    ],
  });
  const resource = expect.stringMatching(/^bulk:[0-9a-f]{64}$/) as string;
  const purchase = { ...createPurchase('/v1/x402-trust-bulk-10', 45_000n), resource };
  await expectPaid(purchase, response);
});

it('a report contains a live probe and a signature', async () => {
  const buy = async (): Promise<unknown> => (await pay('/v1/x402-trust', { resource: HEALTHY })).json();
  // On a busy machine, the live probe can exceed the time limit of a report. The report then states that it has no live
  // probe.
  const expected = {
    ...{ resource: HEALTHY, freshness: { live: true, outcome: 'challenged', confirms: true } },
    signature: { algorithm: 'Ed25519' },
  };
  await expect.poll(buy, { timeout: 30_000 }).toMatchObject(expected);
});

it('the challenge has the public URL regardless of the host headers of the request', async () => {
  const response = await sendRaw(
    [
      'POST /v1/x402-trust HTTP/1.1',
      'Host: evil.example',
      'X-Forwarded-Host: evil.example',
      'Connection: close',
    ]
      .concat(['X-Forwarded-Proto: https', 'Content-Length: 0', '', ''])
      .join('\r\n'),
  );
  expect(response.status).toBe(402);
  const header = response.headers.get('payment-required') ?? '';
  const challenge = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as unknown;
  const url = `${getSiteUrl()}/v1/x402-trust`;
  expect(challenge).toMatchObject({ x402Version: 2, resource: { url } });
  expect(JSON.parse(response.body)).toMatchObject({ x402Version: 1, accepts: [{ resource: url }] });
  // nginx accepts 4,096 bytes of headers by default.
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`);
  expect(lines.join('').length).toBeLessThan(4_000);
});
