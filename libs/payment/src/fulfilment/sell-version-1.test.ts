import { OPERATIONS, PAYMENT_HEADERS, RECEIPT_HEADERS } from '@touchstone/contract';
import { describe, expect, test } from 'vitest';
import { openChallenges } from '../gateway/challenges.ts';
import { createPayment, encodePayment, post, readNonce, type Reply } from '../testing/buyer.ts';
import { BODY, toStatusAndCode, useTestService } from '../testing/test-service.ts';

const service = useTestService();

type Version = 'v1' | 'v2';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
const decode = (header: string | null) =>
  JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8')) as unknown;

/** Signs one authorization, and encodes it as the payment headers of both versions. */
async function signBoth(url: string, { hasSecret = false } = {}) {
  const { payload } = await createPayment(service.payer, url, BODY);
  const v2 = encodePayment(hasSecret ? payload : { ...payload, extensions: {} });
  const v1 = encode({ x402Version: 1, scheme: 'exact', network: 'base', payload: payload.payload });
  return { headers: { v1, v2 }, nonce: readNonce(payload) };
}

const pay = (url: string, version: Version, headers: Readonly<Record<Version, string>>) =>
  post(url, BODY, { headers: { [PAYMENT_HEADERS[version]]: headers[version] } });

/** Expects the receipt in the header of one version only, with the network name of this version. */
function expectReceipt(
  { headers }: Reply,
  version: Version,
  receipt: Readonly<Record<string, unknown>>,
): void {
  const network = version === 'v1' ? 'base' : 'eip155:8453';
  expect(decode(headers.get(RECEIPT_HEADERS[version]))).toMatchObject({ ...receipt, network });
  expect(headers.has(RECEIPT_HEADERS[version === 'v1' ? 'v2' : 'v1'])).toBe(false);
}

test('a payment in X-PAYMENT buys the result, and is stored and settled like any other', async () => {
  const seller = await service.openSeller();
  const { headers, nonce } = await signBoth(seller.trust);
  const reply = await pay(seller.trust, 'v1', headers);
  expect(reply).toMatchObject({ status: 200, body: { about: BODY.resource, run: 1 } });
  const row = await service.findPaymentRow(nonce);
  expect(row).toMatchObject({ state: 'settled', network: 'eip155:8453', amount: 5_000 });
  const { transaction, payer } = row ?? {};
  expectReceipt(reply, 'v1', { success: true, transaction, payer });
  expect((await service.world.listTransfersTo(service.payTo)).at(-1)).toMatchObject({ transaction, payer });
});

describe('one authorization buys once over both versions', () => {
  test.each<readonly [Version, Version]>([
    ['v1', 'v2'],
    ['v2', 'v1'],
  ])('%s, then %s', async (first, second) => {
    const seller = await service.openSeller();
    const before = await service.countTransfers();
    const { headers } = await signBoth(seller.trust);
    const [bought, repeated] = [
      await pay(seller.trust, first, headers),
      await pay(seller.trust, second, headers),
    ];
    expect([bought.status, repeated.status, repeated.text]).toEqual([200, 200, bought.text]);
    expectReceipt(bought, first, { success: true });
    expectReceipt(repeated, second, { success: true });
    expect([service.workedFor.length, (await service.countTransfers()) - before]).toEqual([1, 1]);
  });

  test('at the same time', async () => {
    const seller = await service.openSeller();
    const before = await service.countTransfers();
    const { headers } = await signBoth(seller.trust);
    const replies = await Promise.all(
      (['v1', 'v2', 'v1', 'v2'] as const).map((version) => pay(seller.trust, version, headers)),
    );
    const results = replies.filter(({ status }) => status === 200).map(({ text }) => text);
    expect(new Set(results).size).toBe(1);
    for (const reply of replies) expect([200, 409]).toContain(reply.status);
    expect([service.workedFor.length, (await service.countTransfers()) - before]).toEqual([1, 1]);
  });

  test('a payment with the secret of its challenge gives no result to version 1, which has no secret', async () => {
    const seller = await service.openSeller();
    const { headers } = await signBoth(seller.trust, { hasSecret: true });
    expect((await pay(seller.trust, 'v2', headers)).status).toBe(200);
    const before = await service.countTransfers();
    const reply = await pay(seller.trust, 'v1', headers);
    expect(toStatusAndCode(reply)).toEqual([402, 'invalid_exact_evm_nonce_already_used']);
    expect(reply.body).not.toHaveProperty('notCharged');
    expect([service.workedFor.length, await service.countTransfers()]).toEqual([1, before]);
  });
});

test('a request with both headers pays with version 2', async () => {
  const seller = await service.openSeller();
  const { headers } = await signBoth(seller.trust);
  const both = { [PAYMENT_HEADERS.v1]: 'e30=', [PAYMENT_HEADERS.v2]: headers.v2 };
  const reply = await post(seller.trust, BODY, { headers: both });
  expect(reply.status).toBe(200);
  expectReceipt(reply, 'v2', { success: true });
});

test('a malformed X-PAYMENT header is named in the error, and nothing is charged', async () => {
  const seller = await service.openSeller();
  const reply = await service.expectNotCharged(() =>
    post(seller.trust, BODY, { headers: { 'x-payment': encode({ x402Version: 1 }) } }),
  );
  expect(toStatusAndCode(reply)).toEqual([400, 'invalid-payment']);
  expect(reply.body['detail']).toMatch(/^The X-PAYMENT header is not valid\. `payload` is missing\./);
});

test('a refused payment gets a new challenge of version 1 with the reason', async () => {
  const seller = await service.openSeller();
  const poor = await service.world.createWallet(0n);
  const { payload } = await createPayment(poor, seller.trust, BODY);
  const v1 = encode({ x402Version: 1, scheme: 'exact', network: 'base', payload: payload.payload });
  const reply = await service.expectNotCharged(() => pay(seller.trust, 'v1', { v1, v2: '' }));
  expect(reply).toMatchObject({
    status: 402,
    body: {
      x402Version: 1,
      error: expect.stringContaining('insufficient') as string,
      accepts: [{ network: 'base', maxAmountRequired: '5000' }],
    },
  });
});

const PERMIT2 = encode({ x402Version: 2, payload: { permit2Authorization: {} } });

test.each([
  ['an unreadable second header', 400, () => ({ [PAYMENT_HEADERS.v2]: 'junk!' })],
  ['an unsupported second payment', 402, () => ({ [PAYMENT_HEADERS.v2]: PERMIT2 })],
  ['a repeated header', 400, (v1: string) => ({ [PAYMENT_HEADERS.v1]: `${v1}, ${v1}` })],
])('a request with %s does not deny an earlier charge', async (_, status, change) => {
  const seller = await service.openSeller();
  const { headers } = await signBoth(seller.trust);
  expect((await pay(seller.trust, 'v1', headers)).status).toBe(200);
  const both = { [PAYMENT_HEADERS.v1]: headers.v1, ...change(headers.v1) };
  const reply = await post(seller.trust, BODY, { headers: both });
  expect(reply.status).toBe(status);
  expect(reply.text).not.toMatch(/notCharged|nothing was charged/i);
});

test.each(['eip155:42161', 'eip155:1'])(
  'the network %s, which version 1 clients do not know, has no challenge of version 1',
  (network) => {
    const [operation] = OPERATIONS.filter(({ priceUsd }) => priceUsd !== null);
    if (operation === undefined) throw new Error('the contract has no paid operation');
    const { payTo } = service;
    const baseUrl = 'https://touchstone.example';
    const create = openChallenges({ network, payTo, baseUrl }, baseUrl);
    expect(create({ operation, path: operation.path })).toMatchObject({ v1: null, v2: { x402Version: 2 } });
  },
);
