import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFacilitator } from './index.ts';
import { buy, challengeOf, paymentFor, post, receiptIn } from './testing/buyer.ts';
import { answering, cutting } from './testing/facilitator-proxy.ts';
import { BODY, SHOP, shown, openStreet, type Street } from './testing/street.ts';

/** What a facilitator says of a wallet that is empty. */
const REFUSED = {
  success: false,
  errorReason: 'insufficient_funds',
  transaction: '',
  network: 'eip155:8453',
};

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
    ['does not know our key', answering('/verify', { isValid: false, invalidReason: 'forbidden' }, 403)],
    ['is asked too often', answering('/verify', { isValid: false, invalidReason: 'slow_down' }, 429)],
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
    ['is asked too often', answering('/settle', REFUSED, 429), 0],
    ['does not know our key', answering('/settle', REFUSED, 403), 0],
    [
      'says that a transaction failed, which may be under way',
      answering('/settle', { ...REFUSED, errorReason: 'invalid_exact_evm_transaction_failed' }),
      0,
    ],
    ['refuses in words that nobody knows', answering('/settle', { ...REFUSED, errorReason: 'oh_no' }), 0],
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

  test('that refuses to settle delivers nothing, keeps nothing and leaves nothing behind', async () => {
    const shop = await street.openShop();
    const { payment, nonce } = await paymentFor(await street.market.wallet(), shop.trust, BODY);
    street.proxy.be(answering('/settle', REFUSED));
    let undone = 0;
    street.ways.work = async (input, purchase) => ({
      ...(await street.honest(input, purchase)),
      undo: async () => void (undone += 1),
    });
    const refused = await street.costsNothing(() => post(shop.trust, BODY, { payment }));
    expect(shown(refused)).toEqual([402, 'insufficient_funds']);
    expect(receiptIn(refused)).toMatchObject({ success: false, errorReason: 'insufficient_funds' });
    expect(challengeOf(refused).accepts).toHaveLength(1);
    expect(undone).toBe(1);
    expect(await street.rowOf(nonce)).toMatchObject({ state: 'failed', result: null });
    street.proxy.be(null);
    expect(await post(shop.trust, BODY, { payment })).toMatchObject({ status: 200, body: { turn: 2 } });
    expect(undone).toBe(1);
  });

  test('whose answer was lost is not believed that nothing was sent, and what was done stays', async () => {
    const shop = await street.openShop();
    const { payment } = await paymentFor(street.payer, shop.trust, BODY);
    let undone = 0;
    street.ways.work = async (input, purchase) => ({
      ...(await street.honest(input, purchase)),
      undo: async () => void (undone += 1),
    });
    street.proxy.be(cutting('/settle', 'before'));
    expect((await post(shop.trust, BODY, { payment })).status).toBe(503);
    street.proxy.be(answering('/settle', REFUSED));
    const unsure = await post(shop.trust, BODY, { payment });
    expect(shown(unsure)).toEqual([503, 'payment-unavailable']);
    expect(unsure.body).not.toHaveProperty('notCharged');
    street.proxy.be(null);
    expect(await post(shop.trust, BODY, { payment })).toMatchObject({ status: 200, body: { turn: 1 } });
    expect(undone).toBe(0);
  });

  test('is not asked for ever: in the end only the chain is', async () => {
    const shop = await street.openShop();
    const { payment } = await paymentFor(street.payer, shop.trust, BODY);
    street.proxy.be(cutting('/settle', 'before'));
    for (let attempt = 1; attempt <= 25; attempt += 1) {
      expect((await post(shop.trust, BODY, { payment })).status).toBe(503);
    }
    expect(street.proxy.calls.filter((path) => path === '/settle')).toHaveLength(20);
    expect(street.worked).toHaveLength(1);
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
