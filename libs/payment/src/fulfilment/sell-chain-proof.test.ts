import { createProviders } from '@touchstone/chain';
import { createProblem } from '@touchstone/contract';
import type { PaymentPayload } from '@x402/core/types';
import { concat, numberToHex, parseSignature, type Hex } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createFacilitator } from '../index.ts';
import { createPayment, encodePayment, post, type Reply } from '../testing/buyer.ts';
import { respondWith, type Fault } from '../testing/facilitator-proxy.ts';
import { BODY, toStatusAndCode, useTestService } from '../testing/test-service.ts';

const service = useTestService();
let payer: typeof service.payer;
beforeEach(async () => {
  payer = await service.world.createWallet();
});

const NOT_CHARGED = /notCharged|nothing was charged/i;
const requestSchema = z.object({ body: z.string() });
const callSchema = z.object({ method: z.string() });
const exactSchema = z.object({ signature: z.string(), authorization: z.record(z.string(), z.string()) });
/** Order of the curve secp256k1. */
const CURVE_ORDER = 2n ** 256n - 0x14551231950b75fc4402da1732fc9bebfn;

interface NodeFaults {
  /** Age of the last block in seconds. The node does not have the use of any nonce. By default, nothing is changed. */
  readonly lagSeconds?: number;
  /** Difference between the clock of the seller and the time, in milliseconds. */
  readonly clockMs?: number;
  /** Waits before the response to a call. */
  readonly hold?: (method: string) => Promise<unknown> | undefined;
}

/** Opens a seller on a node that is not anvil. Pauses of the seller advance its clock and the blocks of its node. */
const openSellerOnNode = async ({ lagSeconds, clockMs = 0, hold }: NodeFaults) => {
  const calls: string[] = [];
  let pausedMs = 0;
  const change = (method: string, text: string): string => {
    if (method === 'web3_clientVersion') return text.replace('anvil/', 'Geth/');
    if (lagSeconds === undefined) return text;
    if (method === 'eth_call') return text.replace(/"0x0*1"/, `"0x${'0'.repeat(64)}"`);
    const seconds = Math.floor((Date.now() + pausedMs) / 1_000) - lagSeconds;
    return text.replace(/"timestamp":"0x[0-9a-f]+"/, `"timestamp":"${numberToHex(seconds)}"`);
  };
  const chain = createProviders({
    network: service.world.network,
    urls: [service.world.chainUrl],
    fetch: async (url, init) => {
      const { method } = callSchema.parse(JSON.parse(requestSchema.parse(init).body));
      calls.push(method);
      await hold?.(method);
      const response = await fetch(url, init);
      return new Response(change(method, await response.text()), { status: response.status });
    },
    sleep: () => Promise.resolve(),
    now: Date.now,
  });
  const sleep = async (ms: number): Promise<void> => {
    pausedMs += ms;
  };
  const now = () => Date.now() + pausedMs + clockMs;
  const seller = await service.openSeller({ chain, now, sleep });
  return { seller, calls, getPausedMs: () => pausedMs };
};

/** Settles a payment at the facilitator without the seller, as a third party does. */
const settleElsewhere = async (payload: PaymentPayload, terms = payload.accepted) => {
  const facilitator = createFacilitator({ url: service.world.facilitatorUrl });
  expect((await facilitator.settle(payload, terms)).success).toBe(true);
};

const change = (payload: PaymentPayload, signature: string, authorization: object = {}): string => {
  const { authorization: signed } = exactSchema.parse(payload.payload);
  return encodePayment({
    ...payload,
    payload: { signature, authorization: { ...signed, ...authorization } },
  });
};

const refuse = (invalidReason: string): Fault => respondWith('/verify', { isValid: false, invalidReason });
/** Settles the payment, and responds with a refusal. */
const settleAndRefuse: Fault = async ({ path, forward, response }) => {
  if (path !== '/settle') return false;
  await forward();
  const refused = { success: false, errorReason: 'insufficient_funds', transaction: '' };
  response.end(JSON.stringify({ ...refused, network: service.world.network }));
  return true;
};

describe('a node that does not have the settlement of a payment', () => {
  const NO_FUNDS = refuse('insufficient_funds');
  test.each<[string, Fault | null, NodeFaults]>([
    ['4 s behind, if the facilitator names a used nonce', null, { lagSeconds: 4 }],
    ['at the newest block, if the facilitator names a used nonce', null, { lagSeconds: 0 }],
    ['20 s behind, if the facilitator names insufficient funds', NO_FUNDS, { lagSeconds: 20 }],
    [
      'half an hour behind, if our clock is an hour behind',
      NO_FUNDS,
      { lagSeconds: 1_800, clockMs: -3_600_000 },
    ],
  ])('proves nothing: %s', async (_, fault, faults) => {
    const { seller } = await openSellerOnNode(faults);
    const { payload, payment } = await createPayment(payer, seller.trust, BODY);
    await settleElsewhere(payload);
    service.proxy.setFault(fault);
    const reply = await post(seller.trust, BODY, { payment });
    expect(reply.status).toBe(402);
    expect(reply.text).not.toMatch(NOT_CHARGED);
  });

  test('proves nothing after a settlement that the facilitator reports as refused', async () => {
    const { seller } = await openSellerOnNode({ lagSeconds: 20 });
    const { payment } = await createPayment(payer, seller.trust, BODY);
    service.proxy.setFault(settleAndRefuse);
    const reply = await post(seller.trust, BODY, { payment });
    expect(toStatusAndCode(reply)).toEqual([503, 'payment-unavailable']);
    expect(reply.text).not.toMatch(NOT_CHARGED);
  });
});

test('a refused payment has notCharged as soon as a block is not older than its request', async () => {
  const { seller, getPausedMs } = await openSellerOnNode({ lagSeconds: 2 });
  const { payment } = await createPayment(payer, seller.trust, BODY);
  service.proxy.setFault(refuse('insufficient_funds'));
  await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
  expect(getPausedMs()).toBeLessThanOrEqual(4_000);
});

test('a payment that the facilitator verified in the same request waits for no block', async () => {
  const { seller, getPausedMs } = await openSellerOnNode({ lagSeconds: 20 });
  const { payment } = await createPayment(payer, seller.trust, BODY);
  service.behavior.work = async () => ({ problem: createProblem('not-probeable', 'It gave no answer.') });
  await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
  expect(getPausedMs()).toBe(0);
});

describe('a payment whose nonce was settled has no notCharged if its signature', () => {
  test.each<[string, (signature: Hex) => string]>([
    [
      'has v 0 or 1',
      (signature) => {
        const { r, s, yParity } = parseSignature(signature);
        return concat([r, s, numberToHex(yParity, { size: 1 })]);
      },
    ],
    [
      'has a high s',
      (signature) => {
        const { r, s, yParity } = parseSignature(signature);
        return concat([
          r,
          numberToHex(CURVE_ORDER - BigInt(s), { size: 32 }),
          yParity === 0 ? '0x1c' : '0x1b',
        ]);
      },
    ],
    ['lacks a byte', (signature) => signature.slice(0, -2)],
    ['is not hex', () => 'none'],
    ['is empty', () => ''],
  ])('%s', async (_, mangle) => {
    const { seller } = await openSellerOnNode({});
    const { payload } = await createPayment(payer, seller.trust, BODY);
    await settleElsewhere(payload);
    const { signature } = exactSchema.parse(payload.payload);
    const reply = await post(seller.trust, BODY, { payment: change(payload, mangle(signature as Hex)) });
    expect(reply.text).not.toMatch(NOT_CHARGED);
  });
});

describe('a forged signature', () => {
  test.each([
    ['a random one', `0x${'5a'.repeat(65)}`, {}],
    ['one that names a deployment (ERC-6492)', `0x5a${'6492'.repeat(16)}`, {}],
    ['one of an expired payment', `0x5a${'6492'.repeat(16)}`, { validBefore: '1' }],
  ])('causes no search and gets no result: %s', async (name, signature, changed) => {
    const { seller, calls } = await openSellerOnNode({});
    const { payload } = await createPayment(payer, seller.trust, BODY);
    await settleElsewhere(payload);
    calls.length = 0;
    service.proxy.setFault(refuse('invalid_exact_evm_nonce_already_used'));
    const reply = await post(seller.trust, BODY, { payment: change(payload, signature, changed) });
    expect(reply.status).toBe(402);
    expect(reply.text).not.toMatch(NOT_CHARGED);
    // The chain check after a refusal of the facilitator is shared by all requests.
    expect(calls.filter((method) => method !== 'eth_getBlockByNumber')).toEqual([
      ...(name === 'a random one' ? ['eth_getCode'] : []),
      ...['eth_blockNumber', 'eth_call'],
    ]);
  });
});

test('a repeat of a settled payment does not wait for the chain queries of forged payments', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const { seller } = await openSellerOnNode({
    hold: (method) => (method === 'eth_getCode' ? promise : undefined),
  });
  const { payload, payment } = await createPayment(payer, seller.trust, BODY);
  expect((await post(seller.trust, BODY, { payment })).status).toBe(200);
  service.proxy.setFault(refuse('invalid_exact_evm_signature'));
  const forged = Array.from({ length: 70 }, (_, index) =>
    post(seller.trust, BODY, {
      payment: change(payload, `0x${'5a'.repeat(65)}`, { nonce: numberToHex(index + 1, { size: 32 }) }),
    }),
  );
  // The queue of chain queries is full.
  expect(toStatusAndCode(await Promise.race(forged))).toEqual([503, 'payment-unavailable']);
  expect((await post(seller.trust, BODY, { payment })).status).toBe(200);
  resolve(undefined);
  await Promise.all(forged);
});

test('requests with the same nonce share one search, whose result is kept', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const { seller, calls } = await openSellerOnNode({
    hold: (method) => (method === 'eth_getLogs' ? promise : undefined),
  });
  const { payment, nonce } = await createPayment(payer, seller.trust, BODY);
  await service.world.cancelAuthorization(payer, nonce);
  service.proxy.setFault(refuse('insufficient_funds'));
  const waiting: Promise<Reply>[] = [];
  for (const count of [1, 2, 3]) {
    waiting.push(post(seller.trust, BODY, { payment }));
    await expect.poll(() => calls).toContain('eth_getLogs');
    await expect.poll(() => service.proxy.calls.length).toBe(count);
  }
  resolve(undefined);
  await Promise.all(waiting);
  await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
  expect(calls.filter((method) => method === 'eth_getLogs')).toHaveLength(1);
});

test('a payment that is valid for hours and was used long before its request is found', async () => {
  const { seller } = await openSellerOnNode({ clockMs: 15 * 60_000 });
  const { payload } = await createPayment(payer, seller.trust, BODY);
  const long = await service.world.signAgain(payer, payload, { secondsEarlier: -7_200 });
  await settleElsewhere(long);
  expect((await post(seller.trust, BODY, { payment: encodePayment(long) })).status).toBe(200);
});

test('a payment that was settled to a former wallet of the seller has no notCharged', async () => {
  const { seller } = await openSellerOnNode({});
  const { payload } = await createPayment(payer, seller.trust, BODY);
  const payTo = '0x00000000000000000000000000000000000000a2';
  const former = await service.world.signAgain(payer, payload, { payTo });
  await settleElsewhere(former, { ...payload.accepted, payTo });
  const reply = await post(seller.trust, BODY, { payment: encodePayment(former) });
  expect(toStatusAndCode(reply)).toEqual([402, 'invalid_exact_evm_recipient_mismatch']);
  expect(reply.text).not.toMatch(NOT_CHARGED);
});
