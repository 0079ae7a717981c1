import type { PaymentPayload } from '@x402/core/types';
import { decodePaymentResponseHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintCall } from '../chain/token-calls.ts';
import type { HttpReply } from '../http-reply.ts';
import { stateAt } from '../timeline.ts';
import { createBuyer } from './buyer.ts';
import { readableTerms } from './readable-terms.ts';
import { openTestMarket } from './test-market.ts';
import type { TestMarket } from './test-market.ts';

const payer = privateKeyToAccount(generatePrivateKey());
const buyer = createBuyer(payer);
let market: TestMarket;
beforeAll(async () => {
  market = await openTestMarket();
  await market.economy.chain.mine({ at: 0, unsigned: [mintCall(payer.address, 1_000_000n)], signed: [] });
});
afterAll(() => market.close());

const asking = (name: string) => {
  const resident = market.resident(name);
  const state = stateAt(resident.timeline, Date.now());
  const item = { path: resident.path, id: '' };
  return { terms: resident.terms(state, item), challenge: resident.reply(state, item) };
};
const present = (name: string, headers: Record<string, string>) =>
  market.economy.cashier({ ...asking(name), headers });
const signed = async (name: string): Promise<PaymentPayload> => {
  const terms = readableTerms(buyer.http, asking(name).challenge);
  if (!terms) throw new Error('unreadable');
  return buyer.sign(terms);
};
const pay = (name: string, payment: PaymentPayload) =>
  present(name, { 'payment-signature': encodePaymentSignatureHeader(payment) });
const receipt = ({ headers }: HttpReply) =>
  decodePaymentResponseHeader(headers[headers.indexOf('PAYMENT-RESPONSE') + 1] ?? '');

describe('a payment', () => {
  test('buys the data once, with a receipt; the second time the challenge comes back with the reason', async () => {
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

  test('presented twice at once buys once', async () => {
    const payment = await signed('skyfall-current');
    const replies = await Promise.all([pay('skyfall-current', payment), pay('skyfall-current', payment)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 402]);
  });

  test('for other terms than are asked for is refused, and so is one that cannot be read', async () => {
    expect((await pay('skyfall-forecast', await signed('skyfall-current'))).status).toBe(400);
    expect((await present('skyfall-current', { 'payment-signature': '!!!' })).status).toBe(400);
  });

  test('in a version that the endpoint does not speak is no payment', async () => {
    const challenge = asking('skyfall-current').challenge;
    expect(await present('skyfall-current', { 'x-payment': 'e30=' })).toEqual(challenge);
    expect((await present('cryptick-price', { 'payment-signature': 'e30=' })).status).toBe(402);
  });
});
