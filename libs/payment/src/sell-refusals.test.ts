import { problemOf } from '@touchstone/contract';
import { connect } from '@touchstone/store';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buy, challengeOf, encoded, nonceOf, paymentFor, post, sign } from './testing/buyer.ts';
import { answering } from './testing/facilitator-proxy.ts';
import { BODY, shown, openStreet, type Street } from './testing/street.ts';

let street: Street;
beforeAll(async () => {
  street = await openStreet();
});
afterEach(() => street.tidy());
afterAll(() => street.close());

describe('what cannot be served costs nothing', () => {
  test('a header that cannot be read', async () => {
    const shop = await street.openShop();
    const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
    const { payload } = await paymentFor(street.payer, shop.trust, BODY);
    const broken = { ...payload, payload: { ...payload.payload, authorization: { nonce: '0x1' } } };
    // The SDK settles the one of two kinds whose nonce nobody has looked at.
    const both = { ...payload, payload: { ...payload.payload, permit2Authorization: { from: '0x1' } } };
    const unreadable = ['!!!', 'aGVsbG8=', ...[7, { x402Version: 2 }, broken, both].map(base64)];
    for (const payment of unreadable) {
      const reply = await street.costsNothing(() => post(shop.trust, BODY, { payment }));
      expect(shown(reply)).toEqual([400, 'invalid-payment']);
      expect(reply.headers.get('content-type')).toBe('application/problem+json');
    }
    expect(street.proxy.calls).toEqual([]);
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
    const shop = await street.openShop();
    const challenge = challengeOf(await post(shop.trust, BODY));
    const accepts = challenge.accepts.map((terms) => ({ ...terms, ...changed }));
    const payload = await sign(street.payer, { ...challenge, accepts });
    const reply = await street.costsNothing(() => post(shop.trust, BODY, { payment: encoded(payload) }));
    expect(shown(reply)).toEqual([402, error]);
    expect(challengeOf(reply)).toMatchObject({ error, accepts: challenge.accepts });
    expect(street.proxy.calls).toEqual([]);
  });

  test('an authorization that says something else than the terms it names', async () => {
    const shop = await street.openShop();
    const challenge = challengeOf(await post(shop.trust, BODY));
    const [terms] = challenge.accepts;
    const cheaper = await sign(street.payer, {
      ...challenge,
      accepts: challenge.accepts.map((t) => ({ ...t, amount: '1' })),
    });
    const payment = encoded({ ...cheaper, ...(terms ? { accepted: terms } : {}) });
    street.proxy.be(answering('/verify', { isValid: true, payer: street.payer.address }));
    const reply = await street.costsNothing(() => post(shop.trust, BODY, { payment }));
    expect(shown(reply)).toEqual([402, 'invalid_exact_evm_authorization_value']);
    const permit = encoded({
      ...cheaper,
      ...(terms ? { accepted: terms } : {}),
      payload: { permit2Authorization: {} },
    });
    expect(shown(await street.costsNothing(() => post(shop.trust, BODY, { payment: permit })))).toEqual([
      402,
      'invalid_payload',
    ]);
  });

  test('an authorization that is good for much longer than was asked', async () => {
    const shop = await street.openShop();
    const challenge = challengeOf(await post(shop.trust, BODY));
    const [accepted] = challenge.accepts;
    const signedFor = async (maxTimeoutSeconds: number) => {
      const accepts = challenge.accepts.map((terms) => ({ ...terms, maxTimeoutSeconds }));
      const payload = await sign(street.payer, { ...challenge, accepts });
      return encoded({ ...payload, ...(accepted ? { accepted } : {}) });
    };
    for (const seconds of [300 + 660, 200_000_000_00]) {
      const payment = await signedFor(seconds);
      const reply = await street.costsNothing(() => post(shop.trust, BODY, { payment }));
      expect(shown(reply)).toEqual([402, 'invalid_exact_evm_payload_authorization_valid_before']);
    }
    // The clock of a payer may be ahead.
    expect((await post(shop.trust, BODY, { payment: await signedFor(300 + 540) })).status).toBe(200);
  });

  test('an authorization that is over, or will be before it is street.earned', async () => {
    const shop = await street.openShop();
    const { payment } = await paymentFor(street.payer, shop.trust, BODY);
    for (const later of [245_000, 1_000_000]) {
      street.ways.ahead = later;
      const reply = await street.costsNothing(() => post(shop.trust, BODY, { payment }));
      expect(shown(reply)).toEqual([402, 'invalid_exact_evm_payload_authorization_valid_before']);
    }
    street.ways.ahead = 0;
    expect((await post(shop.trust, BODY, { payment })).status).toBe(200);
  });

  test('a wallet without money, in the words of the facilitator', async () => {
    const shop = await street.openShop();
    const pauper = await street.market.wallet(0n);
    const reply = await street.costsNothing(() => buy(pauper, shop.trust, BODY));
    expect(shown(reply)).toEqual([402, 'invalid_exact_evm_insufficient_balance']);
    expect(street.worked).toEqual([]);
  });

  test('a body that is not what it should be, and the payment is good for a corrected one', async () => {
    const shop = await street.openShop();
    const { payment } = await paymentFor(street.payer, shop.trust, BODY);
    const attempt = (body: unknown, headers = {}) =>
      street.costsNothing(() => post(shop.trust, body, { payment, headers }));
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
    expect(street.worked).toEqual([]);
    expect((await post(shop.trust, BODY, { payment })).status).toBe(200);
  });

  test('work that comes to nothing, and the payment is good for another request', async () => {
    const shop = await street.openShop();
    const { payment } = await paymentFor(street.payer, shop.trust, BODY);
    street.ways.work = async () => ({ problem: problemOf('not-probeable', 'It gave no answer.') });
    expect(shown(await street.costsNothing(() => post(shop.trust, BODY, { payment })))).toEqual([
      422,
      'not-probeable',
    ]);
    street.ways.work = async () => Promise.reject(new Error('a bug'));
    expect(shown(await street.costsNothing(() => post(shop.trust, BODY, { payment })))).toEqual([
      500,
      'internal',
    ]);
    street.ways.work = street.honest;
    expect((await post(shop.trust, { resource: 'https://other.example/' }, { payment })).status).toBe(200);
  });
});

describe('where a payment may have been charged before, no answer says that it was not', () => {
  test('a database that is away', async () => {
    const shop = await street.openShop();
    const away = await street.openShop({ db: connect({ url: 'http://127.0.0.1:1', key: 'none' }) });
    const { payment } = await paymentFor(street.payer, shop.trust, BODY);
    await post(shop.trust, BODY, { payment });
    const reply = await post(away.trust, BODY, { payment });
    expect(shown(reply)).toEqual([500, 'internal']);
    expect(reply.text).not.toMatch(/charged/i);
  });

  test('another request, a body that cannot be read, and a facilitator that is away', async () => {
    const shop = await street.openShop();
    const { payment, payload } = await paymentFor(street.payer, shop.trust, BODY);
    await post(shop.trust, BODY, { payment });
    const dressed = encoded({ ...payload, extensions: {} });
    street.proxy.be(answering('/verify', 'oops', 500));
    const replies = [
      await post(shop.history, BODY, { payment }),
      await post(shop.trust, '{', { payment }),
      await post(shop.trust, BODY, { payment: dressed }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([409, 400, 503]);
    for (const { text } of replies) expect(text).not.toMatch(/charged/i);
  });
});

describe('an authorization that its payer withdraws', () => {
  test('while it is street.earned is refused', async () => {
    const shop = await street.openShop();
    const { payload, payment } = await paymentFor(street.payer, shop.trust, BODY);
    street.ways.work = async (input, purchase) => {
      await street.market.cancel(street.payer, nonceOf(payload));
      return street.honest(input, purchase);
    };
    expect((await street.costsNothing(() => post(shop.trust, BODY, { payment }))).status).toBe(402);
    street.ways.work = street.honest;
    expect((await post(shop.trust, BODY, { payment })).status).toBe(402);
  });
});
