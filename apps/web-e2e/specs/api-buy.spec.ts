import { createHash } from 'node:crypto';
import { ExactEvmScheme } from '@x402/evm';
import { wrapAxiosWithPaymentFromConfig } from '@x402/axios';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import axios from 'axios';
import { privateKeyToAccount } from 'viem/accounts';
import { readTransfers } from '../support/payment/chain.ts';
import { readPaymentRows, readDemoWalletKey } from '../support/service-files.ts';
import { expect, test } from '../support/searchable-service.ts';

const HEALTHY = 'https://fxline.sandbox.test/v1/rates/latest';
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const QUERY = 'exchange rates of currencies';

interface Purchase {
  readonly path: string;
  /** Price in atomic units of USDC. */
  readonly price: bigint;
  readonly body: Readonly<Record<string, unknown>>;
  /** Column `resource` of the payment. */
  readonly resource: string;
  /** Part of the response. */
  readonly expected: Readonly<Record<string, unknown>>;
}

/** Creates a purchase about the healthy endpoint. */
const createPurchase = (path: string, price: bigint): Purchase => ({
  ...{ path, price, resource: HEALTHY },
  ...{ body: { resource: HEALTHY }, expected: { resource: HEALTHY } },
});

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

const PURCHASES: readonly Purchase[] = [
  createPurchase('/v1/x402-trust', 5_000n),
  createPurchase('/v1/x402-history', 20_000n),
  {
    ...{ path: '/v1/semantic-search', price: 1_000n, resource: `query:${hash(QUERY)}` },
    ...{ body: { query: ` ${QUERY}\n` }, expected: { query: QUERY } },
  },
  createPurchase('/v1/similar', 5_000n),
];

const getSiteUrl = (): string => process.env['TOUCHSTONE_URL'] ?? '';
const createBuyer = () => privateKeyToAccount(readDemoWalletKey());
const createSchemes = () => ({
  schemes: [{ network: 'eip155:8453' as const, client: new ExactEvmScheme(createBuyer()) }],
});

interface Receipt {
  readonly success: boolean;
  readonly payer: string;
  readonly transaction: string;
  readonly network: string;
}

const parseReceipt = (header: unknown): Receipt =>
  JSON.parse(Buffer.from(String(header), 'base64').toString('utf8')) as Receipt;

/**
 * Expects the payment to be on the chain with the right price and recipient, and to be one row of the payments table.
 */
async function expectPaid({ path, price, resource }: Purchase, receipt: Receipt): Promise<void> {
  expect(receipt).toMatchObject({ success: true, network: 'eip155:8453' });
  const payer = createBuyer().address.toLowerCase();
  const rows = await readPaymentRows(receipt.transaction);
  expect(rows).toMatchObject([
    { route: `POST ${path}`, resource, payer, state: 'settled', amount: Number(price) },
  ]);
  const to = rows[0]?.pay_to;
  expect(await readTransfers(receipt.transaction)).toEqual([{ asset: USDC, from: payer, to, amount: price }]);
}

for (const purchase of PURCHASES) {
  const { path, body, expected } = purchase;

  test(`@x402/fetch buys ${path}`, async () => {
    const pay = wrapFetchWithPaymentFromConfig(fetch, createSchemes());
    const response = await pay(`${getSiteUrl()}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toContain('no-store');
    expect(await response.json()).toMatchObject(expected);
    await expectPaid(purchase, parseReceipt(response.headers.get('payment-response')));
  });

  test(`@x402/axios buys ${path}`, async () => {
    const client = wrapAxiosWithPaymentFromConfig(axios.create({ baseURL: getSiteUrl() }), createSchemes());
    const response = await client.post<unknown>(path, body);
    expect(response.status).toBe(200);
    expect(response.data).toMatchObject(expected);
    await expectPaid(purchase, parseReceipt(response.headers['payment-response']));
  });
}

/** URL of a sandbox host that responds with 404 and is not in the catalog. */
const MISSING = new URL('/nothing', HEALTHY).href;

test('a report and a preview are small enough for the context of an agent', async () => {
  const pay = wrapFetchWithPaymentFromConfig(fetch, createSchemes());
  const report = await pay(`${getSiteUrl()}/v1/x402-trust`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resource: HEALTHY }),
  });
  expect((await report.arrayBuffer()).byteLength).toBeLessThan(8_000);
  const history = await pay(`${getSiteUrl()}/v1/x402-history?resolution=daily`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resource: HEALTHY, days: 30 }),
  });
  expect((await history.arrayBuffer()).byteLength).toBeLessThan(15_000);
  const preview = await fetch(`${getSiteUrl()}/v1/x402-trust-preview`);
  expect((await preview.arrayBuffer()).byteLength).toBeLessThan(25_000);
});

test('a report contains a live probe and a signature', async () => {
  const pay = wrapFetchWithPaymentFromConfig(fetch, createSchemes());
  // On a busy machine, a probe can take longer than a report waits for it. The report then states that it has no live
  // probe.
  await expect(async () => {
    const response = await pay(`${getSiteUrl()}/v1/x402-trust`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resource: HEALTHY }),
    });
    expect(await response.json()).toMatchObject({
      resource: HEALTHY,
      freshness: { live: true, notLiveReason: null },
      signature: { algorithm: 'Ed25519' },
    });
  }).toPass({ timeout: 30_000 });
});

test('an invalid request gets an error and is not charged', async () => {
  const pay = wrapFetchWithPaymentFromConfig(fetch, createSchemes());
  const send = async (path: string, body: unknown, type = 'application/json') => {
    const init = { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) };
    const response = await pay(`${getSiteUrl()}${path}`, init);
    expect(response.headers.has('payment-response')).toBe(false);
    return (await response.json()) as Record<string, unknown>;
  };
  const unknown = 'https://nobody.example/';
  for (const [sent, expected] of [
    [send('/v1/x402-trust', {}), { status: 400, code: 'invalid-request' }],
    [
      send('/v1/x402-trust', { resource: HEALTHY }, 'text/plain'),
      { status: 415, code: 'unsupported-media-type' },
    ],
    [send('/v1/x402-trust', { resource: 'x'.repeat(70_000) }), { status: 413, code: 'body-too-large' }],
    [send('/v1/x402-trust', { resource: `${unknown}{id}` }), { status: 422, code: 'template-unresolved' }],
    [send('/v1/x402-trust', { resource: unknown }), { status: 422, code: 'not-probeable' }],
    [send('/v1/x402-trust', { resource: MISSING }), { status: 404, code: 'unknown-resource' }],
    [send('/v1/x402-history', { resource: unknown }), { status: 404, code: 'unknown-resource' }],
    [send('/v1/x402-history', { resource: HEALTHY, days: 91 }), { status: 400, code: 'invalid-request' }],
    [send('/v1/similar', { resource: HEALTHY, limit: 40 }), { status: 400, code: 'invalid-request' }],
    [
      send('/v1/semantic-search', { query: QUERY, limit: 40 }),
      { status: 400, detail: expect.stringContaining('whole number from 1 to 25; received 40.') as unknown },
    ],
    [send('/v1/semantic-search', { query: '\u200b ' }), { status: 400, code: 'invalid-request' }],
  ] as const) {
    expect(await sent).toMatchObject({
      ...expected,
      notCharged: true,
      instance: expect.stringMatching(/^\/v1\//),
    });
  }
});

test('the challenge has the public URL regardless of the host headers of the request', async ({
  request,
}) => {
  const response = await request.post(`${getSiteUrl()}/v1/x402-trust`, {
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  });
  expect(response.status()).toBe(402);
  const header = String(response.headers()['payment-required']);
  const challenge = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as unknown;
  expect(challenge).toEqual(await response.json());
  expect(challenge).toMatchObject({ resource: { url: `${getSiteUrl()}/v1/x402-trust` } });
  // nginx accepts 4,096 bytes of headers by default.
  const lines = response.headersArray().map(({ name, value }) => `${name}: ${value}\r\n`);
  expect(lines.join('').length).toBeLessThan(4_000);
});
