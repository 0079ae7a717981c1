import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFacilitator } from './index.ts';
import { buy, challengeOf, paymentFor, post, receiptIn } from './testing/buyer.ts';
import { answering, cutting } from './testing/facilitator-proxy.ts';
import { BODY, SHOP, shown, openStreet, type Street } from './testing/street.ts';

let street: Street;
beforeAll(async () => {
  street = await openStreet();
});
afterEach(() => street.tidy());
afterAll(() => street.close());

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
      const shop = await street.openShop();
      const { payment } = await paymentFor(street.payer, shop.trust, BODY);
      street.proxy.be(misbehaviour);
      const reply = await street.costsNothing(() => post(shop.trust, BODY, { payment }));
      expect(shown(reply)).toEqual([503, 'payment-unavailable']);
      expect(reply.headers.get('retry-after')).toBe('10');
      expect(street.worked).toEqual([]);
      expect((await post(shop.trust, BODY)).status).toBe(402);
      street.proxy.be(null);
      expect((await post(shop.trust, BODY, { payment })).status).toBe(200);
    },
  );

  test('that refuses with an error of HTTP is believed, and its own addresses are kept to ourselves', async () => {
    const shop = await street.openShop();
    street.proxy.be(answering('/verify', { isValid: false, invalidReason: 'blocked_address' }, 400));
    expect(shown(await street.costsNothing(() => buy(street.payer, shop.trust, BODY)))).toEqual([
      402,
      'blocked_address',
    ]);
    street.proxy.be(answering('/verify', { isValid: false, invalidReason: 'failed: http://10.0.0.1/key' }));
    expect(shown(await street.costsNothing(() => buy(street.payer, shop.trust, BODY)))).toEqual([
      402,
      'invalid_payment',
    ]);
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
      const shop = await street.openShop();
      const { payment } = await paymentFor(street.payer, shop.trust, BODY);
      const before = await street.earned();
      street.proxy.be(misbehaviour);
      const unsure = await post(shop.trust, BODY, { payment });
      expect(shown(unsure)).toEqual([503, 'payment-unavailable']);
      expect(unsure.body).not.toHaveProperty('notCharged');
      expect(unsure.headers.get('retry-after')).toBe('5');
      expect((await street.earned()) - before).toBe(moved);
      street.proxy.be(null);
      const reply = await post(shop.trust, BODY, { payment });
      expect(reply).toMatchObject({ status: 200, body: { turn: 1 } });
      const last = (await street.market.transfersTo(SHOP)).at(-1);
      expect(receiptIn(reply)).toMatchObject({ success: true, transaction: last?.transaction });
      expect([street.worked.length, (await street.earned()) - before]).toEqual([1, 1]);
    },
  );

  test('that refuses to settle delivers nothing; what was street.earned is delivered when it does', async () => {
    const shop = await street.openShop();
    const { payment } = await paymentFor(street.payer, shop.trust, BODY);
    street.proxy.be(
      answering('/settle', {
        success: false,
        errorReason: 'insufficient_funds',
        transaction: '',
        network: 'eip155:8453',
      }),
    );
    const refused = await street.costsNothing(() => post(shop.trust, BODY, { payment }));
    expect(shown(refused)).toEqual([402, 'insufficient_funds']);
    expect(receiptIn(refused)).toMatchObject({ success: false, errorReason: 'insufficient_funds' });
    expect(challengeOf(refused).accepts).toHaveLength(1);
    street.proxy.be(null);
    expect(await post(shop.trust, BODY, { payment })).toMatchObject({ status: 200, body: { turn: 1 } });
  });

  test('need not be there at the start, nor be asked anything for a challenge', async () => {
    const shop = await street.openShop({ facilitator: createFacilitator({ url: 'http://127.0.0.1:1' }) });
    expect((await post(shop.trust, BODY)).status).toBe(402);
    expect(shown(await street.costsNothing(() => buy(street.payer, shop.trust, BODY)))).toEqual([
      503,
      'payment-unavailable',
    ]);
  });
});

describe('without a chain to ask', () => {
  test('the facilitator is believed that an authorization was used, where an earlier attempt can have done so', async () => {
    const shop = await street.openShop({ chain: null });
    const { payment } = await paymentFor(street.payer, shop.trust, BODY);
    street.proxy.be(cutting('/settle', 'after'));
    expect((await post(shop.trust, BODY, { payment })).status).toBe(503);
    street.proxy.be(null);
    const reply = await post(shop.trust, BODY, { payment });
    expect(reply).toMatchObject({ status: 200, body: { turn: 1 } });
    expect(receiptIn(reply)).toMatchObject({ success: true, transaction: '' });
  });

  test('and not where none was made', async () => {
    const shop = await street.openShop({ chain: null });
    street.proxy.be(
      answering('/settle', {
        success: false,
        errorReason: 'nonce_already_used',
        transaction: '',
        network: 'eip155:8453',
      }),
    );
    expect(shown(await street.costsNothing(() => buy(street.payer, shop.trust, BODY)))).toEqual([
      402,
      'nonce_already_used',
    ]);
  });
});
