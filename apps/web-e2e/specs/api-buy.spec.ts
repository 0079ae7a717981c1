import { ExactEvmScheme } from '@x402/evm';
import { wrapAxiosWithPaymentFromConfig } from '@x402/axios';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import axios from 'axios';
import { privateKeyToAccount } from 'viem/accounts';
import { transfersOf } from '../support/chain.ts';
import { ledgerOf, visitorKey } from '../support/whereabouts.ts';
import { expect, test } from '../support/shared-service.ts';

const HEALTHY = 'https://fxline.sandbox.test/v1/rates/latest';
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const PRICES = { '/v1/x402-trust': 5_000n, '/v1/x402-history': 20_000n } as const;
const PATHS = ['/v1/x402-trust', '/v1/x402-history'] as const;

const siteUrl = (): string => process.env['TOUCHSTONE_URL'] ?? '';
const buyer = () => privateKeyToAccount(visitorKey());
const schemes = () => ({
  schemes: [{ network: 'eip155:8453' as const, client: new ExactEvmScheme(buyer()) }],
});

interface Receipt {
  readonly success: boolean;
  readonly payer: string;
  readonly transaction: string;
  readonly network: string;
}

const receiptOf = (header: unknown): Receipt =>
  JSON.parse(Buffer.from(String(header), 'base64').toString('utf8')) as Receipt;

/** The payment is on the chain, for the price and to us, and it is a row of the ledger. */
async function expectPaid(path: (typeof PATHS)[number], receipt: Receipt): Promise<void> {
  expect(receipt).toMatchObject({ success: true, network: 'eip155:8453' });
  const payer = buyer().address.toLowerCase();
  const rows = await ledgerOf(receipt.transaction);
  expect(rows).toMatchObject([
    { route: `POST ${path}`, resource: HEALTHY, payer, state: 'settled', amount: Number(PRICES[path]) },
  ]);
  const to = rows[0]?.pay_to;
  expect(await transfersOf(receipt.transaction)).toEqual([
    { asset: USDC, from: payer, to, amount: PRICES[path] },
  ]);
}

for (const path of PATHS) {
  test(`@x402/fetch buys ${path}`, async () => {
    const pay = wrapFetchWithPaymentFromConfig(fetch, schemes());
    const answer = await pay(`${siteUrl()}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resource: HEALTHY }),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect(await answer.json()).toMatchObject({ resource: HEALTHY });
    await expectPaid(path, receiptOf(answer.headers.get('payment-response')));
  });

  test(`@x402/axios buys ${path}`, async () => {
    const client = wrapAxiosWithPaymentFromConfig(axios.create({ baseURL: siteUrl() }), schemes());
    const answer = await client.post<unknown>(path, { resource: HEALTHY });
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ resource: HEALTHY });
    await expectPaid(path, receiptOf(answer.headers['payment-response']));
  });
}

test('a report is on what the endpoint is now, and signed', async () => {
  const pay = wrapFetchWithPaymentFromConfig(fetch, schemes());
  const answer = await pay(`${siteUrl()}/v1/x402-trust`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resource: HEALTHY }),
  });
  expect(await answer.json()).toMatchObject({
    resource: HEALTHY,
    freshness: { live: true, notLiveReason: null },
    signature: { algorithm: 'Ed25519' },
  });
});

test('what is wrong with a request is said without charging for it', async () => {
  const pay = wrapFetchWithPaymentFromConfig(fetch, schemes());
  const ask = async (path: string, body: unknown, type = 'application/json') => {
    const init = { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) };
    const answer = await pay(`${siteUrl()}${path}`, init);
    expect(answer.headers.has('payment-response')).toBe(false);
    return (await answer.json()) as Record<string, unknown>;
  };
  const unheard = 'https://nobody.example/';
  for (const [asked, said] of [
    [ask('/v1/x402-trust', {}), { status: 400, code: 'invalid-request' }],
    [
      ask('/v1/x402-trust', { resource: HEALTHY }, 'text/plain'),
      { status: 415, code: 'unsupported-media-type' },
    ],
    [ask('/v1/x402-trust', { resource: 'x'.repeat(70_000) }), { status: 413, code: 'body-too-large' }],
    [ask('/v1/x402-trust', { resource: `${unheard}{id}` }), { status: 422, code: 'template-unresolved' }],
    [ask('/v1/x402-trust', { resource: unheard }), { status: 422, code: 'not-probeable' }],
    [ask('/v1/x402-history', { resource: unheard }), { status: 404, code: 'unknown-resource' }],
    [ask('/v1/x402-history', { resource: HEALTHY, days: 91 }), { status: 400, code: 'invalid-request' }],
  ] as const) {
    expect(await asked).toMatchObject({
      ...said,
      notCharged: true,
      instance: expect.stringMatching(/^\/v1\//),
    });
  }
});

test('the challenge names the public address, whatever the request says of its host', async ({ request }) => {
  const answer = await request.post(`${siteUrl()}/v1/x402-trust`, {
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  });
  expect(answer.status()).toBe(402);
  const header = String(answer.headers()['payment-required']);
  const challenge = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as unknown;
  expect(challenge).toEqual(await answer.json());
  expect(challenge).toMatchObject({ resource: { url: `${siteUrl()}/v1/x402-trust` } });
  expect(header.length).toBeLessThan(8_192);
});
