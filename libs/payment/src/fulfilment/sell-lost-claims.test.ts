import { createProblem } from '@touchstone/contract';
import { refusePayment } from '@touchstone/store';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createPayment, post } from '../testing/buyer.ts';
import { cutConnection } from '../testing/facilitator-proxy.ts';
import {
  BODY,
  interceptCalls,
  openTestService,
  toStatusAndCode,
  type TestService,
} from '../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterEach(() => service.reset());
afterAll(() => service.close());

/** Opens a seller whose calls of the given database functions fail. */
const openSellerWithout = (...names: readonly string[]) =>
  service.openSeller({
    db: interceptCalls(service.world.db, async (name) => {
      if (names.includes(name)) throw new Error(`${name} is unreachable`);
    }),
  });

const refuseWork = async () => ({ problem: createProblem('not-probeable', 'It failed.') });

describe('a request whose lease was taken over has no notCharged', () => {
  test.each([
    ['settles the payment', () => service.defaultWork, 200],
    ['releases the payment', () => refuseWork, 422],
  ] as const)('when the other request %s', async (_, getWork, status) => {
    const seller = await service.openSeller();
    const { payment } = await createPayment(service.payer, seller.trust, BODY);
    service.behavior.work = async (input, buyer, context) => {
      service.behavior.work = getWork();
      service.behavior.clockOffsetMs = 31_000;
      expect((await post(seller.trust, BODY, { payment })).status).toBe(status);
      return service.defaultWork(input, buyer, context);
    };
    const late = await post(seller.trust, BODY, { payment });
    expect(toStatusAndCode(late)).toEqual([409, 'payment-in-progress']);
    expect(late.text).not.toMatch(/notCharged|nothing was charged/i);
  });
});

test('a request that claimed a payment without verification releases it and has no notCharged', async () => {
  const seller = await service.openSeller();
  const { payment, nonce } = await createPayment(service.payer, seller.trust, BODY);
  service.proxy.setFault(cutConnection('/settle', 'before'));
  expect((await post(seller.trust, BODY, { payment })).status).toBe(503);
  service.proxy.setFault(null);
  const row = await service.findPaymentRow(nonce);
  const { db } = service.world;
  const refuseBeforeClaim = async (name: string) => {
    if (name === 'claim_payment' && row) expect(await refusePayment(db, row, Date.now())).toBe(true);
  };
  const racing = await service.openSeller({ db: interceptCalls(db, refuseBeforeClaim) });
  // A payment that was signed long ago is looked up first, so this process finds it without verification.
  service.behavior.clockOffsetMs = 31_000;
  const reply = await post(racing.trust, BODY, { payment });
  expect(toStatusAndCode(reply)).toEqual([409, 'payment-in-progress']);
  expect(reply.text).not.toMatch(/notCharged|nothing was charged/i);
  expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'failed' });
  expect((await post(seller.trust, BODY, { payment })).status).toBe(200);
});

test('a result that cannot be stored is not charged, and the payment is released', async () => {
  const seller = await openSellerWithout('store_payment_result');
  const { payment, nonce } = await createPayment(service.payer, seller.trust, BODY);
  const reply = await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
  expect(toStatusAndCode(reply)).toEqual([500, 'internal']);
  expect(await service.findPaymentRow(nonce)).toBeUndefined();
});

describe('a response has no notCharged if the payment could not be released', () => {
  test('after its result could not be stored', async () => {
    const seller = await openSellerWithout('store_payment_result', 'release_payment');
    const { payment } = await createPayment(service.payer, seller.trust, BODY);
    const reply = await post(seller.trust, BODY, { payment });
    expect(toStatusAndCode(reply)).toEqual([500, 'internal']);
    expect(reply.text).not.toMatch(/notCharged|nothing was charged/i);
  });

  test('even if the work set notCharged itself', async () => {
    const problem = createProblem('not-probeable', 'It failed. Nothing was charged.');
    service.behavior.work = async () => ({ problem: { ...problem, notCharged: true } });
    const seller = await openSellerWithout('release_payment');
    const { payment } = await createPayment(service.payer, seller.trust, BODY);
    const reply = await post(seller.trust, BODY, { payment });
    expect(toStatusAndCode(reply)).toEqual([422, 'not-probeable']);
    expect(reply.body['detail']).toBe('It failed.');
    expect(reply.body).not.toHaveProperty('notCharged');
  });
});

test('a problem of the work has notCharged once, even if the work set it too', async () => {
  const problem = createProblem('not-probeable', 'It failed. Nothing was charged.');
  service.behavior.work = async () => ({ problem: { ...problem, notCharged: true } });
  const seller = await service.openSeller();
  const { payment } = await createPayment(service.payer, seller.trust, BODY);
  const reply = await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
  expect(reply.body['detail']).toBe('It failed. Nothing was charged.');
});
