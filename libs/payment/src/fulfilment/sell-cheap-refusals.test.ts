import type { PaymentPayload } from '@x402/core/types';
import { serializeErc6492Signature, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createPurchaseQueue } from '../index.ts';
import { createPayment, encodePayment, post } from '../testing/buyer.ts';
import { respondWith } from '../testing/facilitator-proxy.ts';
import { BODY, interceptCalls, useTestService, toStatusAndCode } from '../testing/test-service.ts';

const service = useTestService();

const COUNT = 10;
const exactSchema = z.object({
  signature: z.string(),
  authorization: z.record(z.string(), z.string()),
});

const change = (payload: PaymentPayload, changed: { signature?: string; authorization?: object }): string => {
  const { signature, authorization } = exactSchema.parse(payload.payload);
  return encodePayment({
    ...payload,
    payload: {
      signature: changed.signature ?? signature,
      authorization: { ...authorization, ...changed.authorization },
    },
  });
};

/**
 * Creates a different nonce for each payment. Responses to concurrent requests with one payment have no `notCharged`.
 */
const createNonce = (index: number): Hex => `0x${(index + 1).toString(16).padStart(64, '0')}`;
const createAddress = (): Hex => privateKeyToAddress(generatePrivateKey());

type Bogus = (payload: PaymentPayload, index: number) => string;
const WRONG = 'invalid_exact_evm_signature';

describe(`${COUNT} bogus payments make no request to the facilitator and do not enter the queue`, () => {
  test.each<[string, Bogus, [number, string]]>([
    [
      'with a nonce that was not signed',
      (payload, index) => change(payload, { authorization: { nonce: createNonce(index) } }),
      [402, WRONG],
    ],
    [
      'of other payers, who did not sign',
      (payload) => change(payload, { authorization: { from: createAddress() } }),
      [402, WRONG],
    ],
    [
      'with a random signature',
      (payload, index) =>
        change(payload, { signature: `0x${'5a'.repeat(65)}`, authorization: { nonce: createNonce(index) } }),
      [402, WRONG],
    ],
    [
      'to another recipient',
      (payload, index) =>
        change(payload, { authorization: { to: createAddress(), nonce: createNonce(index) } }),
      [402, 'invalid_exact_evm_recipient_mismatch'],
    ],
    [
      'with another amount',
      (payload, index) =>
        change(payload, { authorization: { value: String(index), nonce: createNonce(index) } }),
      [402, 'invalid_exact_evm_authorization_value'],
    ],
    [
      'that have expired',
      (payload, index) =>
        change(payload, {
          authorization: { validBefore: String(1_000 + index), nonce: createNonce(index) },
        }),
      [402, 'invalid_exact_evm_payload_authorization_valid_before'],
    ],
    ['without JSON', (_, index) => `%${index}`, [400, 'invalid-payment']],
    [
      'for another body',
      (payload, index) => change(payload, { authorization: { nonce: createNonce(index) } }),
      [400, 'invalid-request'],
    ],
  ])('%s', async (_, createBogus, expected) => {
    // This queue accepts no purchase, so each request that needs the queue would be refused as overloaded.
    const queue = createPurchaseQueue({
      maxSlots: 1,
      maxSlotsPerClient: 1,
      maxPurchases: 0,
      maxPurchasesPerClient: 0,
    });
    const seller = await service.openSeller({ queue });
    const { payload } = await createPayment(service.payer, seller.trust, BODY);
    const body = expected[1] === 'invalid-request' ? { resource: 7 } : BODY;
    const replies = await Promise.all(
      Array.from({ length: COUNT }, (_, index) =>
        post(seller.trust, body, { payment: createBogus(payload, index) }),
      ),
    );
    expect(replies.map(toStatusAndCode)).toEqual(replies.map(() => expected));
    for (const { body: reply } of replies) expect(reply['notCharged']).toBe(true);
    expect([service.proxy.calls, service.workedFor]).toEqual([[], []]);
  });
});

describe('a signature that only the facilitator can check is sent to the facilitator', () => {
  const signAs = async (payer: Hex, signature: string) => {
    const { seller, payload } = await service.preparePayment();
    return post(seller.trust, BODY, {
      payment: change(payload, { signature, authorization: { from: payer } }),
    });
  };

  test('of a contract that is deployed with the payment (ERC-6492)', async () => {
    const wrapped = { address: createAddress(), data: '0x5a', signature: '0x5a' } as const;
    const reply = await signAs(createAddress(), serializeErc6492Signature(wrapped));
    expect(reply.status).toBe(402);
    expect(service.proxy.calls).toEqual(['/verify']);
  });

  test.each([65, 200])('of a contract, with %i bytes', async (bytes) => {
    const contract = createAddress();
    await service.world.setCode(contract);
    service.proxy.setFault(respondWith('/verify', { isValid: true, payer: contract }));
    const reply = await signAs(contract, `0x${'5a'.repeat(bytes)}`);
    expect(service.proxy.calls).toEqual(['/verify', '/settle']);
    expect(toStatusAndCode(reply)).toEqual([402, 'invalid_exact_evm_signature']);
  });
});

test('a payment that its payer signed is claimed beside the verification, and released if it is refused', async () => {
  const states: unknown[] = [];
  const seller = await service.openSeller();
  const { payment, nonce } = await createPayment(await service.world.createWallet(0n), seller.trust, BODY);
  service.proxy.setFault(async ({ path }) => {
    if (path !== '/verify') return false;
    for (let attempt = 0; states[0] !== 'working' && attempt < 100; attempt += 1) {
      states[0] = (await service.findPaymentRow(nonce))?.state;
    }
    return false;
  });
  const reply = await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
  expect(toStatusAndCode(reply)).toEqual([402, 'invalid_exact_evm_insufficient_balance']);
  expect([states, await service.findPaymentRow(nonce), service.workedFor]).toEqual([
    ['working'],
    undefined,
    [],
  ]);
});

test('a refused payment whose claim could not be released has no notCharged', async () => {
  const db = interceptCalls(service.world.db, async (name) => {
    if (name === 'release_payment') throw new Error('unreachable');
  });
  const seller = await service.openSeller({ db });
  const { payment } = await createPayment(await service.world.createWallet(0n), seller.trust, BODY);
  const reply = await post(seller.trust, BODY, { payment });
  expect(reply.status).toBe(402);
  expect(reply.text).not.toMatch(/notCharged|nothing was charged/i);
});

test('a purchase makes three database calls beside its work, and a repeated one makes one', async () => {
  const calls: string[] = [];
  const db = interceptCalls(service.world.db, async (name) => calls.push(name));
  const seller = await service.openSeller({ db });
  const { payment } = await createPayment(service.payer, seller.trust, BODY);
  expect((await post(seller.trust, BODY, { payment })).status).toBe(200);
  expect(calls.splice(0)).toEqual(['claim_payment', 'store_payment_result', 'settle_payment']);
  expect((await post(seller.trust, BODY, { payment })).status).toBe(200);
  expect(calls).toEqual(['find_payment']);
});

test('a result that was bought is sent while no purchase gets a slot; a new payment is told to wait', async () => {
  const open = { maxSlots: 1, maxSlotsPerClient: 1, maxPurchases: 1, maxPurchasesPerClient: 1 };
  const seller = await service.openSeller({ queue: createPurchaseQueue(open) });
  const bought = await createPayment(service.payer, seller.trust, BODY);
  const first = await post(seller.trust, BODY, { payment: bought.payment });
  const slow = await createPayment(service.payer, seller.trust, BODY);
  let finish = (): void => undefined;
  const started = new Promise<void>((start) => {
    service.behavior.work = async (...call) => {
      start();
      await new Promise<void>((done) => {
        finish = done;
      });
      return service.defaultWork(...call);
    };
  });
  const waiting = post(seller.trust, BODY, { payment: slow.payment });
  await started;
  const third = await createPayment(service.payer, seller.trust, BODY);
  const full = await post(seller.trust, BODY, { payment: third.payment });
  expect(toStatusAndCode(full)).toEqual([503, 'payment-unavailable']);
  expect(full.headers.get('retry-after')).toBe('10');
  expect(full.body).not.toHaveProperty('notCharged');
  const again = await post(seller.trust, BODY, { payment: bought.payment });
  expect([again.status, again.text]).toEqual([200, first.text]);
  finish();
  expect((await waiting).status).toBe(200);
});
