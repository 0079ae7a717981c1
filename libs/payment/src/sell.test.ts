import { prunePayments } from '@touchstone/store';
import { readChallenge } from '@touchstone/x402';
import { PaymentRequiredV2Schema } from '@x402/core/schemas';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buy, challengeOf, encoded, paymentFor, post, receiptIn } from './testing/buyer.ts';
import { answering } from './testing/facilitator-proxy.ts';
import { BODY, SHOP, shown, openStreet, type Street } from './testing/street.ts';

let street: Street;
beforeAll(async () => {
  street = await openStreet();
});
afterEach(() => street.tidy());
afterAll(() => street.close());

describe('a challenge', () => {
  test('is given whatever the body, in header and body alike, and names our own address only', async () => {
    const shop = await street.openShop();
    const secrets = new Set<string>();
    for (const body of ['', 'no json', '{}', 'x'.repeat(1_000_000)]) {
      const reply = await post(shop.trust, body, { headers: { 'content-type': 'text/plain' } });
      expect(reply.status).toBe(402);
      expect(PaymentRequiredV2Schema.parse(reply.body)).toEqual(challengeOf(reply));
      secrets.add(JSON.stringify(challengeOf(reply).extensions?.['touchstone-purchase']));
      expect(challengeOf(reply).resource.url).toBe('https://touchstone.example/v1/x402-trust');
      expect(challengeOf(reply).accepts).toMatchObject([
        { amount: '5000', payTo: SHOP, network: street.market.network },
      ]);
      expect(reply.headers.get('cache-control')).toBe('no-store');
    }
    expect(secrets.size).toBe(4);
    expect(street.proxy.calls).toEqual([]);
    // A version 1 payment is none here.
    const old = await post(shop.trust, BODY, { headers: { 'x-payment': 'eyJ4NDAyVmVyc2lvbiI6MX0=' } });
    expect(shown(old)).toEqual([402, 'Payment required']);
  });

  test('has nothing that our own rules find fault with, and fits the headers of servers', async () => {
    const shop = await street.openShop();
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
    const shop = await street.openShop();
    const reply = await buy(street.payer, shop.trust, BODY);
    expect(reply).toMatchObject({ status: 200, body: { about: BODY.resource, turn: 1 } });
    expect(reply.headers.get('cache-control')).toBe('private, no-store');
    const { success, transaction, network } = receiptIn(reply);
    expect({ success, network }).toEqual({ success: true, network: street.market.network });
    expect(street.worked).toEqual([{ ...BODY, payer: street.payer.address.toLowerCase() }]);
    expect((await street.market.transfersTo(SHOP)).at(-1)).toEqual({
      payer: street.payer.address.toLowerCase(),
      amount: 5_000n,
      transaction,
    });
    const { data } = await street.market.db.from('payments').select();
    expect(data?.filter((row) => row.transaction === transaction)).toMatchObject([
      {
        route: 'POST /v1/x402-trust',
        resource: BODY.resource,
        amount: 5000,
        pay_to: SHOP.toLowerCase(),
        state: 'settled',
      },
    ]);
    expect(street.proxy.calls).toEqual(['/verify', '/settle']);
  });

  test('buys one result: the same request again is the same answer, without another call or run', async () => {
    const shop = await street.openShop();
    const { payment } = await paymentFor(street.payer, shop.history, BODY);
    const first = await post(shop.history, BODY, { payment });
    const before = await street.earned();
    street.proxy.calls.length = 0;
    // What is the default is the same request, and so is another process.
    const other = await street.openShop();
    const again = [
      await post(shop.history, { days: 30, ...BODY }, { payment }),
      await post(other.history, BODY, { payment }),
    ];
    for (const reply of again) {
      expect([reply.status, reply.text]).toEqual([200, first.text]);
      expect(receiptIn(reply)).toEqual(receiptIn(first));
    }
    expect([street.proxy.calls, street.worked.length, await street.earned()]).toEqual([[], 1, before]);
  });

  test('buys nothing else: neither another body nor another route', async () => {
    const shop = await street.openShop();
    const { payload, payment } = await paymentFor(street.payer, shop.trust, BODY);
    await post(shop.trust, BODY, { payment });
    const other = { resource: 'https://elsewhere.example/' };
    const before = await street.earned();
    expect(shown(await post(shop.trust, other, { payment }))).toEqual([409, 'payment-reused']);
    expect(shown(await post(shop.history, BODY, { payment }))).toEqual([409, 'payment-reused']);
    // Anybody can read the authorization on the chain and dress it anew, with a secret of another challenge too.
    const { extensions } = challengeOf(await post(shop.trust, BODY));
    for (const dressed of [
      { ...payload, extensions: {} },
      { ...payload, extensions: extensions ?? {} },
    ]) {
      const stolen = await post(shop.trust, BODY, { payment: encoded(dressed) });
      expect(shown(stolen)).toEqual([402, 'invalid_exact_evm_nonce_already_used']);
      expect(stolen.body).not.toHaveProperty('notCharged');
    }
    // A facilitator that is behind does not help either.
    street.proxy.be(answering('/verify', { isValid: true, payer: street.payer.address }));
    const stolen = await post(shop.trust, BODY, { payment: encoded({ ...payload, extensions: {} }) });
    expect(shown(stolen)).toEqual([409, 'payment-reused']);
    expect([street.worked.length, await street.earned()]).toEqual([1, before]);
  });

  test('is the same one in whatever order its members come, and whatever stands between them', async () => {
    const shop = await street.openShop();
    const { payload, payment } = await paymentFor(street.payer, shop.trust, BODY);
    const first = await post(shop.trust, BODY, { payment });
    const backwards = (value: unknown): unknown =>
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([name, each]) => [name, backwards(each)]),
          )
        : value;
    const other = Buffer.from(JSON.stringify(backwards(payload), null, 3)).toString('base64');
    expect(other).not.toBe(payment);
    const again = await post(shop.trust, BODY, { payment: other });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(street.worked).toHaveLength(1);
  });

  test('without the secret of its challenge is served, and its result is given again for ten minutes', async () => {
    const shop = await street.openShop();
    const { payload } = await paymentFor(street.payer, shop.trust, BODY);
    const payment = encoded({ ...payload, extensions: {} });
    const first = await post(shop.trust, BODY, { payment });
    expect(first.status).toBe(200);
    street.ways.ahead = 590_000;
    expect((await post(shop.trust, BODY, { payment })).text).toBe(first.text);
    street.ways.ahead = 610_000;
    const late = await post(shop.trust, BODY, { payment });
    expect(shown(late)).toEqual([409, 'payment-reused']);
    expect(late.text).not.toContain(BODY.resource);
    expect(late.body['detail']).toContain('ten minutes');
  });

  test('shows its secret to nobody: neither to the facilitator nor in the ledger', async () => {
    const shop = await street.openShop();
    const { payload, payment, nonce } = await paymentFor(street.payer, shop.trust, BODY);
    const echo = JSON.stringify(payload.extensions?.['touchstone-purchase']);
    const [, secret = 'none'] = /"id":"([\w-]{22})"/.exec(echo) ?? [];
    const sent: string[] = [];
    street.proxy.be(({ body }) => {
      sent.push(body);
      return false;
    });
    expect((await post(shop.trust, BODY, { payment })).status).toBe(200);
    expect(sent).toHaveLength(2);
    expect(sent.join()).not.toContain(secret);
    expect(JSON.stringify(await street.rowOf(nonce))).not.toContain(secret);
  });

  test('is forgotten with its result a day later, and says so', async () => {
    const shop = await street.openShop();
    const { payment } = await paymentFor(street.payer, shop.trust, BODY);
    await post(shop.trust, BODY, { payment });
    const day = 24 * 3_600_000;
    expect(
      (await prunePayments(street.market.db, { now: Date.now() + day - 60_000, limit: 1_000 })).results,
    ).toBe(0);
    expect(
      (await prunePayments(street.market.db, { now: Date.now() + day + 1_000, limit: 1_000 })).results,
    ).toBeGreaterThan(0);
    const before = await street.earned();
    const reply = await post(shop.trust, BODY, { payment });
    expect(shown(reply)).toEqual([409, 'payment-reused']);
    expect(reply.body['detail']).toContain('24 hours');
    expect(await street.earned()).toBe(before);
  });

  test('is served once where copies of it come side by side', async () => {
    const shops = [await street.openShop(), await street.openShop()] as const;
    const { payment } = await paymentFor(street.payer, shops[0].trust, BODY);
    const before = await street.earned();
    street.ways.work = async (input, purchase) => {
      await new Promise((done) => setTimeout(done, 300));
      return street.honest(input, purchase);
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
    expect([street.worked.length, (await street.earned()) - before]).toEqual([1, 1]);
    expect((await post(shops[1].trust, BODY, { payment })).text).toBe(served[0]?.text);
  });
});
