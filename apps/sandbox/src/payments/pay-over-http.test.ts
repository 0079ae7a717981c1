import { decodePaymentResponseHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import type { PaymentPayload } from '@x402/core/types';
import { getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBalanceReader, createMintCall } from '../chain/chain-access.ts';
import { BASE, CHAIN_NETWORKS, type ChainNetwork } from '../chain/network.ts';
import type { HttpResponse } from '../http/responses.ts';
import { deriveWalletAddress } from '../scenario/seeded-values.ts';
import { getStateAt } from '../scenario/timeline.ts';
import { openTestPaymentSystem, type TestPaymentSystem } from '../testing/test-payment-system.ts';
import { createBuyer } from './buyer.ts';
import { readPaymentRequired } from './settle-past-calls.ts';

const POLYGON = CHAIN_NETWORKS[1];
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

function getSellerAddress(wallet: string) {
  return getAddress(deriveWalletAddress('touchstone', wallet, 'eip155:8453'));
}

function readBalance(wallet: string, network: ChainNetwork = BASE) {
  return createBalanceReader(payments.getChain(network))(getSellerAddress(wallet));
}

describe('an agent pays over TLS, and the seller receives the amount', () => {
  test.each([
    ['skyfall-current', 'version 2', 'skyfall', 2_000n],
    ['cryptick-price', 'version 1', 'cryptick', 500n],
    ['fxline-convert', 'both versions', 'fxline', 1_000n],
    ['pixelforge-images-generate', 'POST', 'pixelforge', 40_000n],
    ['chainlens-tokens-risk', 'one of two networks', 'chainlens', 50_000n],
    ['lexbase-contracts-review', 'a high price', 'lexbase', 25_000_000n],
  ])('%s (%s)', async (...[endpoint, , wallet, amount]) => {
    const before = await readBalance(wallet);
    const entry = await payments.buy(endpoint);
    expect(entry).toMatchObject({ endpoint, amount: String(amount), wash: false });
    expect(getAddress(entry?.payTo ?? '')).toBe(getSellerAddress(wallet));
    expect((await readBalance(wallet)) - before).toBe(amount);
  });

  test('on Polygon, where the payment does not change balances on Base', async () => {
    const before = [await readBalance('tidewatch', POLYGON), await readBalance('tidewatch')];
    const entry = await payments.buy('tidewatch-tides', { network: POLYGON });
    expect(entry).toMatchObject({ network: 'eip155:137', endpoint: 'tidewatch-tides', amount: '1000' });
    const after = [await readBalance('tidewatch', POLYGON), await readBalance('tidewatch')];
    expect(after).toEqual([(before[0] ?? 0n) + 1_000n, before[1]]);
  });

  test('concurrently, each exactly once', async () => {
    const before = await readBalance('skyfall');
    const wallets = ['agent 1', 'agent 2', 'agent 3', 'agent 4'];
    const entries = await Promise.all(wallets.map((wallet) => payments.buy('skyfall-forecast', { wallet })));
    expect(new Set(entries.map((entry) => entry?.transaction)).size).toBe(4);
    expect((await readBalance('skyfall')) - before).toBe(16_000n);
  });
});

describe('nothing is paid', () => {
  test.each([
    ['crashlab-simulations-run', 'always fails'],
    ['opendata-elevation', 'is free'],
    [
      'statbureau-tables-population',
      'has a challenge so long that the payment, which repeats it, is rejected',
    ],
    ['misnamed-colors-palette', 'has a wrong EIP-712 domain, so that the signature is invalid'],
  ])('to %s, which %s', async (endpoint) => {
    expect(await payments.buy(endpoint)).toBeNull();
  });

  test.each([
    ['goldrush-airdrops-check', 'accepts only a fake USDC'],
    ['quotable-equities-quote', 'accepts payments on another network than the one of the wallet'],
    ['meridian-oracle-price', 'accepts payments on a network without a chain only'],
    ['garble-passwords-audit', 'has an unreadable challenge'],
    ['bodyguard-background-check', 'has its challenge in the body only'],
  ])('to %s, which %s: the client throws', async (endpoint) => {
    await expect(payments.buy(endpoint)).rejects.toThrow();
  });
});

function getChallenge(name: string) {
  const endpoint = payments.findEndpoint(name);
  const state = getStateAt(endpoint.timeline, Date.now());
  const item = { path: endpoint.path, id: '' };
  return {
    context: endpoint.createChallengeContext(state, item),
    challenge: endpoint.createResponse(state, item),
  };
}

async function present(name: string, headers: Record<string, string>) {
  const { response } = await payments.system.handlePayment({ ...getChallenge(name), headers });
  return response;
}

async function signed(name: string): Promise<PaymentPayload> {
  const terms = readPaymentRequired(buyer.http, getChallenge(name).challenge);
  if (!terms) throw new Error('unreadable');
  return buyer.sign(terms);
}

function pay(name: string, payment: PaymentPayload) {
  return present(name, { 'payment-signature': encodePaymentSignatureHeader(payment) });
}

function receipt({ headers }: HttpResponse) {
  return decodePaymentResponseHeader(headers[headers.indexOf('PAYMENT-RESPONSE') + 1] ?? '');
}

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

describe('an endpoint that reacts to a payment in another way than with its data', () => {
  const BAD_GATEWAY: unknown = expect.stringContaining('Bad Gateway');
  const readPayerBalance = () => createBalanceReader(payments.getChain(BASE))(payer.address);

  test.each([
    ['peakline-snow', 402, '{}'],
    ['loamwork-soil', 502, BAD_GATEWAY],
    ['cellarium-vintages', 200, ''],
    ['gambit-ratings', 200, '{"classical":null,"rapid":null}'],
    ['birdlist-sightings', 200, '{"sightings":14}'],
    ['fuelwise-prices', 200, '{"petrol":1.79,"diesel":1.68}'],
    ['autoworth-values', 502, BAD_GATEWAY],
  ])('%s settles the payment and responds with %i', async (name, status, body) => {
    const before = await readPayerBalance();
    const response = await pay(name, await signed(name));
    expect({ status: response.status, body: response.body.toString() }).toEqual({ status, body });
    expect(before - (await readPayerBalance())).toBe(10_000n);
    expect(receipt(response).success).toBe(name !== 'fuelwise-prices');
  });

  test.each([
    ['calorica-foods', 400],
    ['starwheel-planets', 200],
  ])('%s settles nothing and responds with %i', async (name, status) => {
    const before = await readPayerBalance();
    expect((await pay(name, await signed(name))).status).toBe(status);
    expect(await readPayerBalance()).toBe(before);
  });

  test('responds after 30 seconds if its fulfilment is late', async () => {
    const headers = { 'payment-signature': 'e30=' };
    const { handlePayment } = payments.system;
    expect((await handlePayment({ ...getChallenge('birdlist-sightings'), headers })).delayMs).toBe(30_000);
    expect((await handlePayment({ ...getChallenge('skyfall-current'), headers })).delayMs).toBe(0);
  });
});
