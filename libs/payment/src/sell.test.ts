import { problemOf, problemSchema } from '@touchstone/contract';
import { connect, prunePayments } from '@touchstone/store';
import { readChallenge } from '@touchstone/x402';
import { PaymentRequiredV2Schema } from '@x402/core/schemas';
import type { PrivateKeyAccount } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFacilitator, createSeller, type SellerOptions } from './index.ts';
import {
  buy,
  challengeOf,
  encoded,
  nonceOf,
  paymentFor,
  post,
  receiptIn,
  sign,
  type Reply,
} from './testing/buyer.ts';
import { answering, cutting, openProxy, type Proxy } from './testing/facilitator-proxy.ts';
import { openMarket, type Market } from './testing/market.ts';
import { serveShop, type Work } from './testing/serve-shop.ts';

const SHOP = privateKeyToAddress(generatePrivateKey());
const BODY = { resource: 'https://api.example.com/v1/weather' };
/** Shorter than a facilitator dawdles, and longer than it takes on a busy machine. */
const TIMEOUTS = { verifyMs: 2_000, settleMs: 2_000 };

let market: Market;
let proxy: Proxy;
let payer: PrivateKeyAccount;
let clock = 0;
let worked: { resource: string; payer: string }[] = [];
let work: Work;
const honest: Work = (input, purchase) => {
  worked.push({ ...input, ...purchase });
  return Promise.resolve({ body: { about: input.resource, turn: worked.length } });
};
const troubles: string[] = [];
const shops: { close: () => Promise<unknown> }[] = [];

beforeAll(async () => {
  market = await openMarket();
  proxy = await openProxy(market.facilitatorUrl);
  payer = await market.wallet();
});
afterAll(async () => {
  await proxy.close();
  await market.close();
});
beforeEach(() => {
  worked = [];
  work = honest;
  clock = 0;
  proxy.be(null);
  proxy.calls.length = 0;
  troubles.length = 0;
});
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.close();
});

type ShopOptions = Partial<Omit<SellerOptions, 'chain'>> & { readonly chain?: Market['providers'] | null };
/** A shop as one process has it. */
const openShop = async ({ chain = market.providers, ...options }: ShopOptions = {}) => {
  const seller = createSeller({
    db: market.db,
    facilitator: createFacilitator({ url: proxy.url, timeouts: TIMEOUTS }),
    network: market.network,
    payTo: SHOP,
    baseUrl: 'https://touchstone.example',
    now: () => Date.now() + clock,
    serviceName: 'Touchstone',
    ...(chain === null ? {} : { chain }),
    onTrouble: (message) => troubles.push(message),
    ...options,
  });
  const shop = await serveShop(seller, (input, purchase) => work(input, purchase));
  shops.push(shop);
  return { ...shop, trust: `${shop.url}/v1/x402-trust`, history: `${shop.url}/v1/x402-history` };
};

const earned = async () => (await market.transfersTo(SHOP)).length;
/** Holds that nothing was charged while something is tried. */
const costsNothing = async (attempt: () => Promise<Reply>): Promise<Reply> => {
  const before = await earned();
  const reply = await attempt();
  expect(await earned()).toBe(before);
  expect(reply.body['notCharged']).toBe(true);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  if (reply.status !== 402) expect(problemSchema.parse(reply.body).status).toBe(reply.status);
  return reply;
};
const shown = ({ status, body }: Reply) => [status, body['code'] ?? body['error']];

describe('a challenge', () => {
  test('is given whatever the body, in header and body alike, and names our own address only', async () => {
    const shop = await openShop();
    for (const body of ['', 'no json', '{}', 'x'.repeat(1_000_000)]) {
      const reply = await post(shop.trust, body, { headers: { 'content-type': 'text/plain' } });
      expect(reply.status).toBe(402);
      expect(PaymentRequiredV2Schema.parse(reply.body)).toEqual(challengeOf(reply));
      expect(challengeOf(reply).resource.url).toBe('https://touchstone.example/v1/x402-trust');
      expect(challengeOf(reply).accepts).toMatchObject([
        { amount: '5000', payTo: SHOP, network: market.network },
      ]);
      expect(reply.headers.get('cache-control')).toBe('no-store');
    }
    expect(proxy.calls).toEqual([]);
    // A version 1 payment is none here.
    const old = await post(shop.trust, BODY, { headers: { 'x-payment': 'eyJ4NDAyVmVyc2lvbiI6MX0=' } });
    expect(shown(old)).toEqual([402, 'Payment required']);
  });

  test('has nothing that our own rules find fault with, and fits the headers of servers', async () => {
    const shop = await openShop();
    for (const path of ['/v1/x402-trust', '/v1/x402-history']) {
      const { status, headers, text } = await post(`${shop.url}${path}`, '{}');
      const url = `https://touchstone.example${path}`;
      const { checks, payable } = readChallenge({
        url,
        status,
        method: 'POST',
        headers: [...headers],
        body: text,
      });
      expect(payable.v2).toBe(true);
      // For information only, and decided: who reads bodies finds the challenge there too.
      const faults = checks.filter(({ result }) => result === 'fail').map(({ id }) => id);
      expect(faults).toEqual(['mixed-v2-body-mirror']);
      expect(headers.get('payment-required')?.length).toBeLessThan(7_000);
    }
  });
});

describe('a payment', () => {
  test('buys the result, and is in the ledger and on the chain', async () => {
    const shop = await openShop();
    const reply = await buy(payer, shop.trust, BODY);
    expect(reply).toMatchObject({ status: 200, body: { about: BODY.resource, turn: 1 } });
    expect(reply.headers.get('cache-control')).toBe('private, no-store');
    const { success, transaction, network } = receiptIn(reply);
    expect({ success, network }).toEqual({ success: true, network: market.network });
    expect(worked).toEqual([{ ...BODY, payer: payer.address.toLowerCase() }]);
    expect((await market.transfersTo(SHOP)).at(-1)).toEqual({
      payer: payer.address.toLowerCase(),
      amount: 5_000n,
      transaction,
    });
    const { data } = await market.db.from('payments').select();
    expect(data?.filter((row) => row.transaction === transaction)).toMatchObject([
      {
        route: 'POST /v1/x402-trust',
        resource: BODY.resource,
        amount: 5000,
        pay_to: SHOP.toLowerCase(),
        state: 'settled',
      },
    ]);
    expect(proxy.calls).toEqual(['/verify', '/settle']);
  });

  test('buys one result: the same request again is the same answer, without another call or run', async () => {
    const shop = await openShop();
    const { payment } = await paymentFor(payer, shop.history, BODY);
    const first = await post(shop.history, BODY, { payment });
    const before = await earned();
    proxy.calls.length = 0;
    // What is the default is the same request, and so is another process.
    const other = await openShop();
    const again = [
      await post(shop.history, { days: 30, ...BODY }, { payment }),
      await post(other.history, BODY, { payment }),
    ];
    for (const reply of again) {
      expect([reply.status, reply.text]).toEqual([200, first.text]);
      expect(receiptIn(reply)).toEqual(receiptIn(first));
    }
    expect([proxy.calls, worked.length, await earned()]).toEqual([[], 1, before]);
  });

  test('buys nothing else: neither another body nor another route', async () => {
    const shop = await openShop();
    const { payload, payment } = await paymentFor(payer, shop.trust, BODY);
    await post(shop.trust, BODY, { payment });
    const other = { resource: 'https://elsewhere.example/' };
    expect(shown(await costsNothing(() => post(shop.trust, other, { payment })))).toEqual([
      409,
      'payment-reused',
    ]);
    expect(shown(await costsNothing(() => post(shop.history, BODY, { payment })))).toEqual([
      409,
      'payment-reused',
    ]);
    // Anybody can read the authorization on the chain and dress it anew.
    const dressed = encoded({ ...payload, extensions: {} });
    const stolen = await costsNothing(() => post(shop.trust, BODY, { payment: dressed }));
    expect(shown(stolen)).toEqual([402, 'invalid_exact_evm_nonce_already_used']);
    expect(worked).toHaveLength(1);
  });

  test('is forgotten with its result a day later, and says so', async () => {
    const shop = await openShop();
    const { payment } = await paymentFor(payer, shop.trust, BODY);
    await post(shop.trust, BODY, { payment });
    const day = 24 * 3_600_000;
    expect((await prunePayments(market.db, { now: Date.now() + day - 60_000, limit: 1_000 })).results).toBe(
      0,
    );
    expect(
      (await prunePayments(market.db, { now: Date.now() + day + 1_000, limit: 1_000 })).results,
    ).toBeGreaterThan(0);
    const reply = await costsNothing(() => post(shop.trust, BODY, { payment }));
    expect(shown(reply)).toEqual([409, 'payment-reused']);
    expect(reply.body['detail']).toContain('24 hours');
  });

  test('is served once where copies of it come side by side', async () => {
    const shops = [await openShop(), await openShop()] as const;
    const { payment } = await paymentFor(payer, shops[0].trust, BODY);
    const before = await earned();
    work = async (input, purchase) => {
      await new Promise((done) => setTimeout(done, 300));
      return honest(input, purchase);
    };
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => post(shops[index % 2 === 0 ? 0 : 1].trust, BODY, { payment })),
    );
    const served = replies.filter(({ status }) => status === 200);
    const waiting = replies.filter(({ status }) => status === 409);
    expect(replies.map(shown).toSorted()).toEqual([
      [200, undefined],
      ...Array.from({ length: 7 }, () => [409, 'payment-in-progress']),
    ]);
    for (const reply of waiting) {
      expect(reply.body).toMatchObject({ code: 'payment-in-progress' });
      expect(reply.body).not.toHaveProperty('notCharged');
      expect(reply.headers.get('retry-after')).toBe('2');
    }
    expect([worked.length, (await earned()) - before]).toEqual([1, 1]);
    expect((await post(shops[1].trust, BODY, { payment })).text).toBe(served[0]?.text);
  });
});

describe('what cannot be served costs nothing', () => {
  test('a header that cannot be read', async () => {
    const shop = await openShop();
    const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
    const { payload } = await paymentFor(payer, shop.trust, BODY);
    const broken = { ...payload, payload: { ...payload.payload, authorization: { nonce: '0x1' } } };
    for (const payment of ['!!!', 'aGVsbG8=', base64(7), base64({ x402Version: 2 }), base64(broken)]) {
      const reply = await costsNothing(() => post(shop.trust, BODY, { payment }));
      expect(shown(reply)).toEqual([400, 'invalid-payment']);
      expect(reply.headers.get('content-type')).toBe('application/problem+json');
    }
  });

  test.each([
    ['another amount', { amount: '4999' }, 'No matching payment requirements'],
    ['another network', { network: 'eip155:84532' as const }, 'No matching payment requirements'],
    [
      'another asset',
      { asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' },
      'No matching payment requirements',
    ],
    [
      'another wallet',
      { payTo: '0x00000000000000000000000000000000000000a2' },
      'No matching payment requirements',
    ],
  ])('terms that were not asked for: %s', async (_, changed, error) => {
    const shop = await openShop();
    const challenge = challengeOf(await post(shop.trust, BODY));
    const accepts = challenge.accepts.map((terms) => ({ ...terms, ...changed }));
    const payload = await sign(payer, { ...challenge, accepts });
    const reply = await costsNothing(() => post(shop.trust, BODY, { payment: encoded(payload) }));
    expect(shown(reply)).toEqual([402, error]);
    expect(challengeOf(reply)).toMatchObject({ error, accepts: challenge.accepts });
    expect(proxy.calls).toEqual([]);
  });

  test('an authorization that says something else than the terms it names', async () => {
    const shop = await openShop();
    const challenge = challengeOf(await post(shop.trust, BODY));
    const [terms] = challenge.accepts;
    const cheaper = await sign(payer, {
      ...challenge,
      accepts: challenge.accepts.map((t) => ({ ...t, amount: '1' })),
    });
    const payment = encoded({ ...cheaper, ...(terms ? { accepted: terms } : {}) });
    proxy.be(answering('/verify', { isValid: true, payer: payer.address }));
    const reply = await costsNothing(() => post(shop.trust, BODY, { payment }));
    expect(shown(reply)).toEqual([402, 'invalid_exact_evm_authorization_value']);
    const permit = encoded({
      ...cheaper,
      ...(terms ? { accepted: terms } : {}),
      payload: { permit2Authorization: {} },
    });
    expect(shown(await costsNothing(() => post(shop.trust, BODY, { payment: permit })))).toEqual([
      402,
      'invalid_payload',
    ]);
  });

  test('an authorization that is over, or will be before it is earned', async () => {
    const shop = await openShop();
    const { payment } = await paymentFor(payer, shop.trust, BODY);
    for (const later of [245_000, 1_000_000]) {
      clock = later;
      const reply = await costsNothing(() => post(shop.trust, BODY, { payment }));
      expect(shown(reply)).toEqual([402, 'invalid_exact_evm_payload_authorization_valid_before']);
    }
    clock = 0;
    expect((await post(shop.trust, BODY, { payment })).status).toBe(200);
  });

  test('a wallet without money, in the words of the facilitator', async () => {
    const shop = await openShop();
    const pauper = await market.wallet(0n);
    const reply = await costsNothing(() => buy(pauper, shop.trust, BODY));
    expect(shown(reply)).toEqual([402, 'invalid_exact_evm_insufficient_balance']);
    expect(worked).toEqual([]);
  });

  test('a body that is not what it should be, and the payment is good for a corrected one', async () => {
    const shop = await openShop();
    const { payment } = await paymentFor(payer, shop.trust, BODY);
    const attempt = (body: unknown, headers = {}) =>
      costsNothing(() => post(shop.trust, body, { payment, headers }));
    expect(shown(await attempt('{'))).toEqual([400, 'invalid-request']);
    expect(shown(await attempt('"\\ud800"'))).toEqual([400, 'invalid-request']);
    const wrong = await attempt({ resource: 7, 'x\u0000y': 1 });
    expect(wrong.body['errors']).toMatchObject([{ path: 'resource' }, { path: '' }]);
    expect(shown(await attempt({ resource: 'https://a.example/\ud800' }))).toEqual([400, 'invalid-request']);
    expect(shown(await attempt(BODY, { 'content-type': 'text/plain' }))).toEqual([
      415,
      'unsupported-media-type',
    ]);
    expect(shown(await attempt(BODY, { 'content-encoding': 'gzip' }))).toEqual([
      415,
      'unsupported-media-type',
    ]);
    expect(shown(await attempt(JSON.stringify({ resource: 'x'.repeat(70_000) })))).toEqual([
      413,
      'body-too-large',
    ]);
    expect(worked).toEqual([]);
    expect((await post(shop.trust, BODY, { payment })).status).toBe(200);
  });

  test('work that comes to nothing, and the payment is good for another request', async () => {
    const shop = await openShop();
    const { payment } = await paymentFor(payer, shop.trust, BODY);
    work = async () => ({ problem: problemOf('not-probeable', 'It gave no answer.') });
    expect(shown(await costsNothing(() => post(shop.trust, BODY, { payment })))).toEqual([
      422,
      'not-probeable',
    ]);
    work = async () => Promise.reject(new Error('a bug'));
    expect(shown(await costsNothing(() => post(shop.trust, BODY, { payment })))).toEqual([500, 'internal']);
    work = honest;
    expect((await post(shop.trust, { resource: 'https://other.example/' }, { payment })).status).toBe(200);
  });

  test('a database that is away', async () => {
    const shop = await openShop({ db: connect({ url: 'http://127.0.0.1:1', key: 'none' }) });
    expect(shown(await costsNothing(() => buy(payer, shop.trust, BODY)))).toEqual([500, 'internal']);
  });
});

describe('a facilitator', () => {
  test.each([
    ['is not there', cutting('/verify', 'before')],
    ['answers no JSON', answering('/verify', '<html>')],
    ['answers another thing', answering('/verify', { isValid: 'yes' })],
    ['fails', answering('/verify', { isValid: false, invalidReason: 'x' }, 500)],
    ['wants a key', answering('/verify', { error: 'unauthorized' }, 401)],
    ['dawdles', () => new Promise<boolean>(() => undefined)],
    ['names another payer', answering('/verify', { isValid: true, payer: SHOP })],
  ])(
    'that %s when it is to verify: nothing is charged, and it can be tried again',
    async (_, misbehaviour) => {
      const shop = await openShop();
      const { payment } = await paymentFor(payer, shop.trust, BODY);
      proxy.be(misbehaviour);
      const reply = await costsNothing(() => post(shop.trust, BODY, { payment }));
      expect(shown(reply)).toEqual([503, 'payment-unavailable']);
      expect(reply.headers.get('retry-after')).toBe('10');
      expect(worked).toEqual([]);
      expect((await post(shop.trust, BODY)).status).toBe(402);
      proxy.be(null);
      expect((await post(shop.trust, BODY, { payment })).status).toBe(200);
    },
  );

  test('that refuses with an error of HTTP is believed, and its own addresses are kept to ourselves', async () => {
    const shop = await openShop();
    proxy.be(answering('/verify', { isValid: false, invalidReason: 'blocked_address' }, 400));
    expect(shown(await costsNothing(() => buy(payer, shop.trust, BODY)))).toEqual([402, 'blocked_address']);
    proxy.be(answering('/verify', { isValid: false, invalidReason: 'failed: http://10.0.0.1/key' }));
    expect(shown(await costsNothing(() => buy(payer, shop.trust, BODY)))).toEqual([402, 'invalid_payment']);
  });

  test.each([
    ['loses its answer after it settled', cutting('/settle', 'after'), 1],
    ['is cut off before it settles', cutting('/settle', 'before'), 0],
    ['answers no JSON', answering('/settle', 'oops', 502), 0],
    [
      'dawdles',
      (call: { path: string }) => (call.path === '/settle' ? new Promise<boolean>(() => undefined) : false),
      0,
    ],
    [
      'claims success without a transaction',
      answering('/settle', { success: true, transaction: '', network: 'eip155:8453' }),
      0,
    ],
    [
      'settles on another network',
      answering('/settle', { success: true, transaction: `0x${'1'.repeat(64)}`, network: 'eip155:1' }),
      0,
    ],
    [
      'settles for another payer',
      answering('/settle', {
        success: true,
        transaction: `0x${'1'.repeat(64)}`,
        network: 'eip155:8453',
        payer: SHOP,
      }),
      0,
    ],
    [
      'has it pending',
      answering('/settle', {
        success: false,
        errorReason: 'settlement_pending',
        transaction: `0x${'1'.repeat(64)}`,
        network: 'eip155:8453',
      }),
      0,
    ],
  ] as const)(
    'that %s: the same request again is charged once and delivered',
    async (_, misbehaviour, moved) => {
      const shop = await openShop();
      const { payment } = await paymentFor(payer, shop.trust, BODY);
      const before = await earned();
      proxy.be(misbehaviour);
      const unsure = await post(shop.trust, BODY, { payment });
      expect(shown(unsure)).toEqual([503, 'payment-unavailable']);
      expect(unsure.body).not.toHaveProperty('notCharged');
      expect(unsure.headers.get('retry-after')).toBe('5');
      expect((await earned()) - before).toBe(moved);
      proxy.be(null);
      const reply = await post(shop.trust, BODY, { payment });
      expect(reply).toMatchObject({ status: 200, body: { turn: 1 } });
      const last = (await market.transfersTo(SHOP)).at(-1);
      expect(receiptIn(reply)).toMatchObject({ success: true, transaction: last?.transaction });
      expect([worked.length, (await earned()) - before]).toEqual([1, 1]);
    },
  );

  test('that refuses to settle delivers nothing; what was earned is delivered when it does', async () => {
    const shop = await openShop();
    const { payment } = await paymentFor(payer, shop.trust, BODY);
    proxy.be(
      answering('/settle', {
        success: false,
        errorReason: 'insufficient_funds',
        transaction: '',
        network: 'eip155:8453',
      }),
    );
    const refused = await costsNothing(() => post(shop.trust, BODY, { payment }));
    expect(shown(refused)).toEqual([402, 'insufficient_funds']);
    expect(receiptIn(refused)).toMatchObject({ success: false, errorReason: 'insufficient_funds' });
    expect(challengeOf(refused).accepts).toHaveLength(1);
    proxy.be(null);
    expect(await post(shop.trust, BODY, { payment })).toMatchObject({ status: 200, body: { turn: 1 } });
  });

  test('need not be there at the start, nor be asked anything for a challenge', async () => {
    const shop = await openShop({ facilitator: createFacilitator({ url: 'http://127.0.0.1:1' }) });
    expect((await post(shop.trust, BODY)).status).toBe(402);
    expect(shown(await costsNothing(() => buy(payer, shop.trust, BODY)))).toEqual([
      503,
      'payment-unavailable',
    ]);
  });
});

describe('an authorization that its payer withdraws', () => {
  test('while it is earned is refused', async () => {
    const shop = await openShop();
    const { payload, payment } = await paymentFor(payer, shop.trust, BODY);
    work = async (input, purchase) => {
      await market.cancel(payer, nonceOf(payload));
      return honest(input, purchase);
    };
    expect((await costsNothing(() => post(shop.trust, BODY, { payment }))).status).toBe(402);
    work = honest;
    expect((await post(shop.trust, BODY, { payment })).status).toBe(402);
  });
});

describe('without a chain to ask', () => {
  test('the facilitator is believed that an authorization was used, where an earlier attempt can have done so', async () => {
    const shop = await openShop({ chain: null });
    const { payment } = await paymentFor(payer, shop.trust, BODY);
    proxy.be(cutting('/settle', 'after'));
    expect((await post(shop.trust, BODY, { payment })).status).toBe(503);
    proxy.be(null);
    const reply = await post(shop.trust, BODY, { payment });
    expect(reply).toMatchObject({ status: 200, body: { turn: 1 } });
    expect(receiptIn(reply)).toMatchObject({ success: true, transaction: '' });
  });

  test('and not where none was made', async () => {
    const shop = await openShop({ chain: null });
    proxy.be(
      answering('/settle', {
        success: false,
        errorReason: 'nonce_already_used',
        transaction: '',
        network: 'eip155:8453',
      }),
    );
    expect(shown(await costsNothing(() => buy(payer, shop.trust, BODY)))).toEqual([
      402,
      'nonce_already_used',
    ]);
  });
});
