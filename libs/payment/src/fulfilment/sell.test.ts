import { prunePayments } from '@touchstone/store';
import { readChallenge } from '@touchstone/x402';
import { PaymentRequiredV2Schema } from '@x402/core/schemas';
import { describe, expect, test } from 'vitest';
import {
  buy,
  readChallengeHeader,
  encodePayment,
  createPayment,
  post,
  readReceiptHeader,
} from '../testing/buyer.ts';
import { respondWith } from '../testing/facilitator-proxy.ts';
import { BODY, toStatusAndCode, useTestService } from '../testing/test-service.ts';

const service = useTestService();

describe('a challenge', () => {
  test('does not depend on the body, has the same terms in header and body, and has our public URL', async () => {
    const seller = await service.openSeller();
    const secrets = new Set<string>();
    for (const body of ['', 'no json', '{}', 'x'.repeat(1_000_000)]) {
      const reply = await post(seller.trust, body, { headers: { 'content-type': 'text/plain' } });
      expect(reply.status).toBe(402);
      const { resource, accepts, extensions } = PaymentRequiredV2Schema.parse(readChallengeHeader(reply));
      secrets.add(JSON.stringify(extensions?.['touchstone-purchase']));
      expect(resource.url).toBe('https://touchstone.example/v1/x402-trust');
      expect(accepts).toMatchObject([
        { amount: '5000', payTo: service.payTo, network: service.world.network },
      ]);
      // Clients of version 1 read the same terms from the body.
      const [{ amount, network: _, ...terms } = {}] = accepts;
      const { url, description, mimeType } = resource;
      const named = { network: 'base', maxAmountRequired: amount, resource: url, description, mimeType };
      expect(reply.body).toMatchObject({ x402Version: 1, accepts: [{ ...terms, ...named }] });
      expect(reply.headers.get('cache-control')).toBe('no-store');
    }
    expect(secrets.size).toBe(4);
    expect(service.proxy.calls).toEqual([]);
  });

  test('passes our own compliance rules', async () => {
    const seller = await service.openSeller();
    for (const path of ['/v1/x402-trust', '/v1/x402-history']) {
      const { status, headers, text } = await post(`${seller.url}${path}`, '{}');
      const url = `https://touchstone.example${path}`;
      const { checks, payable } = readChallenge({
        url,
        status,
        method: 'POST',
        headers: [...headers],
        body: text,
      });
      expect(payable).toEqual({ v1: true, v2: true });
      expect(checks.filter(({ result }) => result === 'fail')).toEqual([]);
    }
  });
});

describe('a payment', () => {
  test('buys the result, and is in the payments table and on the chain', async () => {
    const seller = await service.openSeller();
    const reply = await buy(service.payer, seller.trust, BODY);
    expect(reply).toMatchObject({ status: 200, body: { about: BODY.resource, run: 1 } });
    expect(reply.headers.get('cache-control')).toBe('private, no-store');
    const { success, transaction, network } = readReceiptHeader(reply);
    expect({ success, network }).toEqual({ success: true, network: service.world.network });
    expect((await service.world.listTransfersTo(service.payTo)).at(-1)).toEqual({
      payer: service.payer.address.toLowerCase(),
      amount: 5_000n,
      transaction,
    });
    const { data } = await service.world.db.from('payments').select();
    const rows = data?.filter((row) => row.transaction === transaction);
    // The work receives the key of the payment, and the id of the request that holds the lease of the payment.
    const keys = rows?.map((row) => ({
      network: row.network,
      asset: row.asset,
      payer: row.payer,
      nonce: row.nonce,
      owner: row.owner,
    }));
    expect(service.workedFor).toEqual(keys?.map((key) => ({ ...BODY, ...key })));
    expect(rows).toMatchObject([
      {
        payer: service.payer.address.toLowerCase(),
        network: service.world.network,
        route: 'POST /v1/x402-trust',
        resource: BODY.resource,
        amount: 5000,
        pay_to: service.payTo.toLowerCase(),
        state: 'settled',
      },
    ]);
    expect(service.proxy.calls).toEqual(['/verify', '/settle']);
  });

  test('buys one result: the same request gets the same response, without facilitator and work', async () => {
    const seller = await service.openSeller();
    const { payment } = await createPayment(service.payer, seller.history, BODY);
    const first = await post(seller.history, BODY, { payment });
    const before = await service.countTransfers();
    service.proxy.calls.length = 0;
    // A request with the default value `days: 30` counts as the same request. A second process returns the same
    // response, too. The second process looks up the payment before the verification, because the payment was signed
    // more than 30 seconds ago.
    const other = await service.openSeller();
    const again = [await post(seller.history, { days: 30, ...BODY }, { payment })];
    service.behavior.clockOffsetMs = 31_000;
    again.push(await post(other.history, BODY, { payment }));
    for (const reply of again) {
      expect([reply.status, reply.text]).toEqual([200, first.text]);
      expect(readReceiptHeader(reply)).toEqual(readReceiptHeader(first));
    }
    expect([service.proxy.calls, service.workedFor.length, await service.countTransfers()]).toEqual([
      [],
      1,
      before,
    ]);
  });

  test('cannot be used for another body or another route', async () => {
    const { seller, payload, payment } = await service.preparePayment();
    await post(seller.trust, BODY, { payment });
    const other = { resource: 'https://elsewhere.example/' };
    const before = await service.countTransfers();
    expect(toStatusAndCode(await post(seller.trust, other, { payment }))).toEqual([409, 'payment-reused']);
    expect(toStatusAndCode(await post(seller.history, BODY, { payment }))).toEqual([409, 'payment-reused']);
    // Anyone can read the authorization from the chain. The test sends this authorization without a secret, and with
    // the secret of another challenge.
    const { extensions } = readChallengeHeader(await post(seller.trust, BODY));
    for (const copy of [
      { ...payload, extensions: {} },
      { ...payload, extensions: extensions ?? {} },
    ]) {
      const stolen = await post(seller.trust, BODY, { payment: encodePayment(copy) });
      expect(toStatusAndCode(stolen)).toEqual([402, 'invalid_exact_evm_nonce_already_used']);
      expect(stolen.body).not.toHaveProperty('notCharged');
    }
    // The copied payment is also refused if the facilitator accepts the used nonce.
    service.proxy.setFault(respondWith('/verify', { isValid: true, payer: service.payer.address }));
    const stolen = await post(seller.trust, BODY, { payment: encodePayment({ ...payload, extensions: {} }) });
    expect(toStatusAndCode(stolen)).toEqual([409, 'payment-reused']);
    expect(stolen.body).not.toHaveProperty('notCharged');
    expect([service.workedFor.length, await service.countTransfers()]).toEqual([1, before]);
  });

  test('is bound to the query parameters of the operation, and to no others', async () => {
    const seller = await service.openSeller();
    const full = `${seller.trust}?detail=full`;
    const { payment } = await createPayment(service.payer, full, BODY);
    expect(readChallengeHeader(await post(full, BODY)).resource.url).toBe(
      'https://touchstone.example/v1/x402-trust',
    );
    const wrong = await service.expectNotCharged(() => post(`${seller.trust}?detail=all`, BODY, { payment }));
    expect(toStatusAndCode(wrong)).toEqual([400, 'invalid-request']);
    expect(wrong.body['errors']).toEqual([
      {
        path: 'detail',
        message: '`detail` must be "full", or left out for the short report; received "all".',
      },
    ]);
    const misspelled = `${seller.trust}?detial=full`;
    expect((await post(misspelled, BODY)).status).toBe(402);
    const unknown = await service.expectNotCharged(() => post(misspelled, BODY, { payment }));
    expect(toStatusAndCode(unknown)).toEqual([400, 'invalid-request']);
    expect(unknown.body['errors']).toMatchObject([{ path: 'detial' }]);
    const first = await post(full, BODY, { payment });
    expect(service.workedFor).toMatchObject([{ ...BODY, detail: 'full' }]);
    const again = await post(full, BODY, { payment });
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    const short = await post(seller.trust, BODY, { payment });
    expect(toStatusAndCode(short)).toEqual([409, 'payment-reused']);
    expect(service.workedFor).toHaveLength(1);
  });

  test('is recognized in any order of its members and with any white space', async () => {
    const { seller, payload, payment } = await service.preparePayment();
    const first = await post(seller.trust, BODY, { payment });
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
    const again = await post(seller.trust, BODY, { payment: other });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(service.workedFor).toHaveLength(1);
  });

  test('without the secret of its challenge gets its result again for ten minutes', async () => {
    const { seller, payload } = await service.preparePayment();
    const payment = encodePayment({ ...payload, extensions: {} });
    const first = await post(seller.trust, BODY, { payment });
    expect(first.status).toBe(200);
    service.behavior.clockOffsetMs = 590_000;
    expect((await post(seller.trust, BODY, { payment })).text).toBe(first.text);
    service.behavior.clockOffsetMs = 610_000;
    const late = await post(seller.trust, BODY, { payment });
    expect(toStatusAndCode(late)).toEqual([409, 'payment-reused']);
    expect(late.text).not.toContain(BODY.resource);
    expect(late.body['detail']).toContain('600 seconds');
  });

  test('sends its secret neither to the facilitator nor to the database', async () => {
    const { seller, payload, payment, nonce } = await service.preparePayment();
    const echo = JSON.stringify(payload.extensions?.['touchstone-purchase']);
    const [, secret = 'none'] = /"id":"([\w-]{22})"/.exec(echo) ?? [];
    const sent: string[] = [];
    service.proxy.setFault(({ body }) => {
      sent.push(body);
      return false;
    });
    expect((await post(seller.trust, BODY, { payment })).status).toBe(200);
    expect(sent).toHaveLength(2);
    expect(sent.join()).not.toContain(secret);
    expect(JSON.stringify(await service.findPaymentRow(nonce))).not.toContain(secret);
  });

  test('has no result after 24 hours, and the response says so', async () => {
    const { seller, payment } = await service.preparePayment();
    await post(seller.trust, BODY, { payment });
    const day = 24 * 3_600_000;
    expect(
      (await prunePayments(service.world.db, { now: Date.now() + day - 60_000, limit: 1_000 })).results,
    ).toBe(0);
    expect(
      (await prunePayments(service.world.db, { now: Date.now() + day + 1_000, limit: 1_000 })).results,
    ).toBeGreaterThan(0);
    const before = await service.countTransfers();
    const reply = await post(seller.trust, BODY, { payment });
    expect(toStatusAndCode(reply)).toEqual([409, 'payment-reused']);
    expect(reply.body['detail']).toContain('24 hours');
    expect(await service.countTransfers()).toBe(before);
  });

  test('is processed once when copies arrive at the same time', async () => {
    const sellers = [await service.openSeller(), await service.openSeller()] as const;
    const { payment } = await createPayment(service.payer, sellers[0].trust, BODY);
    const before = await service.countTransfers();
    const countReply = service.holdWork(7);
    const replies = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const reply = await post(sellers[index % 2 === 0 ? 0 : 1].trust, BODY, { payment });
        countReply();
        return reply;
      }),
    );
    const served = replies.filter(({ status }) => status === 200);
    const waiting = replies.filter(({ status }) => status === 409);
    expect(replies.map(toStatusAndCode).toSorted()).toEqual([
      [200, undefined],
      ...Array.from({ length: 7 }, () => [409, 'payment-in-progress']),
    ]);
    for (const reply of waiting) {
      expect(reply.body).toMatchObject({ code: 'payment-in-progress' });
      expect(reply.body).not.toHaveProperty('notCharged');
      expect(reply.headers.get('retry-after')).toBe('2');
    }
    expect([service.workedFor.length, (await service.countTransfers()) - before]).toEqual([1, 1]);
    expect((await post(sellers[1].trust, BODY, { payment })).text).toBe(served[0]?.text);
  });
});
