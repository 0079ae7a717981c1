import type { PaymentPayload } from '@x402/core/types';
import { decodePaymentResponseHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BASE } from '../chain/network.ts';
import { createMintCall } from '../chain/token-calls.ts';
import type { HttpResponse } from '../endpoints/http-response.ts';
import { getStateAt } from '../scenario/timeline.ts';
import { createBuyer } from './buyer.ts';
import { readPaymentRequired } from './read-payment-required.ts';
import { openTestPaymentSystem } from '../testing/test-payment-system.ts';
import type { TestPaymentSystem } from '../testing/test-payment-system.ts';

const payer = privateKeyToAccount(generatePrivateKey());
const buyer = createBuyer(payer, BASE);
let payments: TestPaymentSystem;
beforeAll(async () => {
  payments = await openTestPaymentSystem();
  await payments.getChain(BASE).mine({
    at: 0,
    unsigned: [createMintCall(BASE, payer.address, 1_000_000n)],
    signed: [],
  });
});
afterAll(() => payments.close());

const getChallenge = (name: string) => {
  const endpoint = payments.findEndpoint(name);
  const state = getStateAt(endpoint.timeline, Date.now());
  const item = { path: endpoint.path, id: '' };
  return {
    context: endpoint.createChallengeContext(state, item),
    challenge: endpoint.createResponse(state, item),
  };
};
const present = (name: string, headers: Record<string, string>) =>
  payments.system.handlePayment({ ...getChallenge(name), headers });
const signed = async (name: string): Promise<PaymentPayload> => {
  const terms = readPaymentRequired(buyer.http, getChallenge(name).challenge);
  if (!terms) throw new Error('unreadable');
  return buyer.sign(terms);
};
const pay = (name: string, payment: PaymentPayload) =>
  present(name, { 'payment-signature': encodePaymentSignatureHeader(payment) });
const receipt = ({ headers }: HttpResponse) =>
  decodePaymentResponseHeader(headers[headers.indexOf('PAYMENT-RESPONSE') + 1] ?? '');

describe('a payment', () => {
  test('buys the data once, with a receipt; the second time it returns the challenge with the reason', async () => {
    const payment = await signed('skyfall-current');
    const first = await pay('skyfall-current', payment);
    expect(first.status).toBe(200);
    expect(JSON.parse(first.body.toString())).toMatchObject({ city: 'Lisbon' });
    expect(receipt(first)).toMatchObject({ success: true, payer: payer.address });
    const second = await pay('skyfall-current', payment);
    expect(second.status).toBe(402);
    expect(second.headers).toContain('PAYMENT-REQUIRED');
    expect(receipt(second)).toMatchObject({ success: false, transaction: '' });
  });

  test('that is sent twice concurrently buys once', async () => {
    const payment = await signed('skyfall-current');
    const replies = await Promise.all([pay('skyfall-current', payment), pay('skyfall-current', payment)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 402]);
  });

  test('for other payment requirements is rejected, and so is an unreadable payment', async () => {
    expect((await pay('skyfall-forecast', await signed('skyfall-current'))).status).toBe(400);
    expect((await present('skyfall-current', { 'payment-signature': '!!!' })).status).toBe(400);
  });

  test('of a version that the endpoint does not support is ignored', async () => {
    const challenge = getChallenge('skyfall-current').challenge;
    expect(await present('skyfall-current', { 'x-payment': 'e30=' })).toEqual(challenge);
    expect((await present('cryptick-price', { 'payment-signature': 'e30=' })).status).toBe(402);
  });
});
