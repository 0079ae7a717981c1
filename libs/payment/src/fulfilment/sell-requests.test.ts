import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { PaymentPayload } from '@x402/core/types';
import { describe, expect, test } from 'vitest';
import { createPayment, post, readChallengeHeader, readReceiptHeader } from '../testing/buyer.ts';
import { BODY, useTestService, toStatusAndCode } from '../testing/test-service.ts';

const service = useTestService();

const encode = (payment: unknown) => Buffer.from(JSON.stringify(payment)).toString('base64');
/**
 * Returns a signed payment without the member `accepted`, as some clients send it, and with the given other members.
 */
const shorten = ({ payload }: Pick<PaymentPayload, 'payload'>, others: object = {}) =>
  encode({ x402Version: 2, scheme: 'exact', network: 'eip155:8453', payload, ...others });

describe('a payment without `accepted`', () => {
  test('buys the result', async () => {
    const { seller, payload, nonce } = await service.preparePayment();
    const bodies = new Map<string, unknown>();
    service.proxy.setFault(({ path, body }) => {
      bodies.set(path, JSON.parse(body));
      return false;
    });
    const payment = shorten(payload);
    const reply = await post(seller.trust, BODY, { payment });
    expect([reply.status, reply.body]).toEqual([200, { about: BODY.resource, run: 1 }]);
    const [terms] = readChallengeHeader(await post(seller.trust, BODY)).accepts;
    for (const path of ['/verify', '/settle']) {
      expect(bodies.get(path)).toMatchObject({
        paymentPayload: { accepted: terms, payload: payload.payload },
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
    const { seller, payload } = await service.preparePayment();
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

  test('has no notCharged if it contradicts the offer after it was settled', async () => {
    const { seller, payload } = await service.preparePayment();
    await post(seller.trust, BODY, { payment: shorten(payload) });
    const reply = await post(seller.trust, BODY, { payment: shorten(payload, { network: 'polygon' }) });
    expect(toStatusAndCode(reply)).toEqual([400, 'invalid-payment']);
    expect(reply.text).not.toMatch(/charged/i);
  });
});

test('a challenge names the actual path, the template and the values of its parameters', async () => {
  const { url: origin } = await service.openSeller();
  const { resource, extensions } = readChallengeHeader(await post(`${origin}/v1/items/abc/renew`, ''));
  expect(resource.url).toBe('https://touchstone.example/v1/items/abc/renew');
  const bazaar = { routeTemplate: '/v1/items/:id/renew', info: { input: { pathParams: { id: 'abc' } } } };
  expect(extensions).toMatchObject({ bazaar });
});

test('a payment is bound to the actual path of its request, not to the path template', async () => {
  const { url: origin } = await service.openSeller();
  const [url, otherUrl] = [`${origin}/v1/items/abc/renew`, `${origin}/v1/items/xyz/renew`];
  const { payment } = await createPayment(service.payer, url, '');
  const first = await post(url, '', { payment });
  expect(first).toMatchObject({ status: 200, body: { about: 'abc' } });
  const before = await service.countTransfers();
  expect(toStatusAndCode(await post(otherUrl, '', { payment }))).toEqual([409, 'payment-reused']);
  const again = await post(url, '', { payment });
  expect([again.status, again.text]).toEqual([200, first.text]);
  expect(service.workedFor.map(({ resource }) => resource)).toEqual(['abc']);
  expect(await service.countTransfers()).toBe(before);
});

test('a path parameter is decoded before it is validated, and an invalid one is not charged', async () => {
  const { url: origin } = await service.openSeller();
  for (const segment of ['A1', '%E0%A4%A', 'a%2Fb']) {
    const url = `${origin}/v1/items/${segment}/renew`;
    const { payment } = await createPayment(service.payer, url, '');
    const reply = await service.expectNotCharged(() => post(url, '', { payment }));
    expect(toStatusAndCode(reply)).toEqual([400, 'invalid-request']);
    expect(reply.body['errors']).toMatchObject([
      { path: 'id', message: expect.stringContaining('`id` must be 1 to 9 letters; received') as string },
    ]);
  }
  expect(service.workedFor).toEqual([]);
  const encoded = `${origin}/v1/items/%61bc/renew`;
  const { payment } = await createPayment(service.payer, encoded, '');
  expect(await post(encoded, '', { payment })).toMatchObject({ status: 200, body: { about: 'abc' } });
});

/** Sends the headers of a request and half of its body. Returns when the server has started to handle the request. */
const sendHalf = async (url: string, payment: string) => {
  const text = JSON.stringify(BODY);
  const stalled = request(url, {
    method: 'POST',
    headers: {
      'payment-signature': payment,
      'content-type': 'application/json',
      'content-length': text.length,
      expect: '100-continue',
    },
  });
  stalled.on('error', () => undefined);
  stalled.flushHeaders();
  await once(stalled, 'continue');
  stalled.write(text.slice(0, text.length / 2));
  return stalled;
};

test('expired payments whose bodies never end do not delay a result that is sent again', async () => {
  const seller = await service.openSellerWithLongTimeouts();
  const { payment } = await createPayment(service.payer, seller.trust, BODY);
  const first = await post(seller.trust, BODY, { payment });
  expect(first.status).toBe(200);
  service.behavior.clockOffsetMs = 400_000;
  const stalled = await Promise.all(Array.from({ length: 20 }, () => sendHalf(seller.trust, payment)));
  const again = await post(seller.trust, BODY, { payment });
  expect([again.status, again.text]).toEqual([200, first.text]);
  for (const each of stalled) each.destroy();
});

test('a payment that expires while its body is sent is refused before the facilitator is called', async () => {
  const { seller, payment, nonce } = await service.preparePayment();
  service.proxy.calls.length = 0;
  const stalled = await sendHalf(seller.trust, payment);
  // The payment is valid for 300 seconds. After 250 seconds, less than the required 60 seconds remain.
  service.behavior.clockOffsetMs = 250_000;
  const text = JSON.stringify(BODY);
  stalled.end(text.slice(text.length / 2));
  const [response] = (await once(stalled, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(402);
  expect(service.proxy.calls).toEqual([]);
  expect(await service.findPaymentRow(nonce)).toBeUndefined();
});

describe('on Base Sepolia', () => {
  const onSepolia = useTestService('eip155:84532');

  test('a payment buys the result with the USDC of this network', async () => {
    const { trust } = await onSepolia.openSeller();
    const { payload, payment, nonce } = await createPayment(onSepolia.payer, trust, BODY);
    expect(payload.accepted).toMatchObject({
      network: 'eip155:84532',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      extra: { name: 'USDC', version: '2' },
    });
    const reply = await post(trust, BODY, { payment });
    const { transaction, network } = readReceiptHeader(reply);
    expect([reply.status, network]).toEqual([200, 'eip155:84532']);
    const transfers = await onSepolia.world.listTransfersTo(onSepolia.payTo);
    expect(transfers).toMatchObject([{ amount: 5_000n, transaction }]);
    expect(await onSepolia.findPaymentRow(nonce)).toMatchObject({ state: 'settled', network, transaction });
  });
});
