import type { PaymentPayload } from '@x402/core/types';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createPayment, post, readChallengeHeader, readReceiptHeader } from '../testing/buyer.ts';
import { BODY, openTestService, toStatusAndCode, type TestService } from '../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterEach(() => service.reset());
afterAll(() => service.close());

const encode = (payment: unknown) => Buffer.from(JSON.stringify(payment)).toString('base64');
/** Returns a signed payment in the form that clients without `accepted` send, with the given other members. */
const shorten = ({ payload }: Pick<PaymentPayload, 'payload'>, others: object = {}) =>
  encode({ x402Version: 2, scheme: 'exact', network: 'eip155:8453', payload, ...others });

describe('a payment without `accepted`', () => {
  test.each([
    ['without `resource`', {}],
    ['with `resource`', { resource: { url: 'https://touchstone.example/v1/x402-trust' } }],
  ])('buys the result: %s', async (_, others) => {
    const seller = await service.openSeller();
    const { payload, nonce } = await createPayment(service.payer, seller.trust, BODY);
    const bodies = new Map<string, unknown>();
    service.proxy.setFault(({ path, body }) => {
      bodies.set(path, JSON.parse(body));
      return false;
    });
    const payment = shorten(payload, others);
    const reply = await post(seller.trust, BODY, { payment });
    expect([reply.status, reply.body]).toEqual([200, { about: BODY.resource, run: 1 }]);
    const [terms] = readChallengeHeader(await post(seller.trust, BODY)).accepts;
    for (const path of ['/verify', '/settle']) {
      expect(bodies.get(path)).toMatchObject({
        paymentPayload: { accepted: terms, payload: payload.payload, ...others },
        paymentRequirements: terms,
      });
    }
    const { transaction } = readReceiptHeader(reply);
    expect((await service.world.listTransfersTo(service.payTo)).at(-1)).toEqual({
      payer: service.payer.address.toLowerCase(),
      amount: 5_000n,
      transaction,
    });
    expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'settled', transaction });
  });

  test('is bound to its request by its nonce, like every other payment', async () => {
    const seller = await service.openSeller();
    const { payload } = await createPayment(service.payer, seller.trust, BODY);
    const payment = shorten(payload);
    const first = await post(seller.trust, BODY, { payment });
    const before = await service.countTransfers();
    const again = await post(seller.trust, BODY, {
      payment: encode({ x402Version: 2, payload: payload.payload }),
    });
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    const other = await post(seller.trust, { resource: 'https://other.example/' }, { payment });
    expect(toStatusAndCode(other)).toEqual([409, 'payment-reused']);
    expect([service.workedFor.length, await service.countTransfers()]).toEqual([1, before]);
  });

  test.each([
    ['scheme', { scheme: 'upto' }],
    ['network', { network: 'eip155:84532' }],
    ['resource.url', { resource: { url: 'https://other.example/v1/x402-trust' } }],
  ])('is refused without a charge if `%s` contradicts the offer', async (path, changed) => {
    const seller = await service.openSeller();
    const { payload } = await createPayment(service.payer, seller.trust, BODY);
    const reply = await service.expectNotCharged(() =>
      post(seller.trust, BODY, { payment: shorten(payload, changed) }),
    );
    expect(toStatusAndCode(reply)).toEqual([400, 'invalid-payment']);
    expect(reply.body['errors']).toMatchObject([{ path }]);
    expect(String(reply.body['detail'])).toContain(`\`${path}\` must be `);
    expect(service.proxy.calls).toEqual([]);
    // The same authorization can still be used in a valid payment.
    expect((await post(seller.trust, BODY, { payment: shorten(payload) })).status).toBe(200);
  });

  test('has no notCharged if it contradicts the offer after it was settled', async () => {
    const seller = await service.openSeller();
    const { payload } = await createPayment(service.payer, seller.trust, BODY);
    await post(seller.trust, BODY, { payment: shorten(payload) });
    const reply = await post(seller.trust, BODY, { payment: shorten(payload, { network: 'base' }) });
    expect(toStatusAndCode(reply)).toEqual([400, 'invalid-payment']);
    expect(reply.text).not.toMatch(/charged/i);
  });
});
