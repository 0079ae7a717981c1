import { createProblem } from '@touchstone/contract';
import { expect, test, describe } from 'vitest';
import { createPurchaseQueue } from '../index.ts';
import type { PurchaseQueue } from '../queue/purchase-queue.ts';
import { buy, createPayment, encodePayment, post } from '../testing/buyer.ts';
import { respondWith } from '../testing/facilitator-proxy.ts';
import { CLIENT_HEADER } from '../testing/serve-seller.ts';
import { BODY, useTestService, toStatusAndCode, interceptCalls } from '../testing/test-service.ts';

const ATTACKS = 10;
const QUEUE = { maxSlots: 4, maxSlotsPerClient: 3, maxPurchases: 100, maxPurchasesPerClient: 50 };

const service = useTestService();

test('sells to other clients while unpaid work of one client never ends', async () => {
  const seller = await service.openSellerWithLongTimeouts({
    queue: createPurchaseQueue(QUEUE),
    leases: { workSeconds: 600, settleSeconds: 600 },
  });
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let pending = 0;
  service.behavior.work = async (input, buyer, context) => {
    if (context.client !== 'attacker') return service.defaultWork(input, buyer, context);
    pending += 1;
    await ended;
    return { problem: createProblem('not-probeable', 'The endpoint did not respond.') };
  };
  const payer = await service.world.createWallet();
  const attacks = Array.from({ length: ATTACKS }, async (_, index) => {
    const { payment } = await createPayment(payer, seller.trust, BODY);
    const headers = { [CLIENT_HEADER]: 'attacker' };
    return post(seller.trust, { resource: `https://h${index}.example.com/` }, { payment, headers });
  });
  await expect.poll(() => pending, { timeout: 60_000 }).toBe(ATTACKS);

  const { payment } = await createPayment(service.payer, seller.history, BODY);
  const extras = { payment, headers: { [CLIENT_HEADER]: 'honest' } };
  expect((await post(seller.history, BODY, extras)).status).toBe(200);
  end();
  for (const reply of await Promise.all(attacks)) {
    expect(toStatusAndCode(reply)[1]).toBe('not-probeable');
    expect(reply.body).toHaveProperty('notCharged', true);
  }
}, 120_000);

/** Creates a queue that runs one step at a time, and counts the purchases that entered the queue. */
const createCountedQueue = () => {
  const inner = createPurchaseQueue({
    maxSlots: 1,
    maxSlotsPerClient: 1,
    maxPurchases: 9,
    maxPurchasesPerClient: 9,
  });
  const counted = { entered: 0 };
  const runPurchase: PurchaseQueue['runPurchase'] = (client, purchase) => {
    counted.entered += 1;
    return inner.runPurchase(client, purchase);
  };
  const waitFor = (count: number) => expect.poll(() => counted.entered, { timeout: 20_000 }).toBe(count);
  return { queue: { ...inner, runPurchase }, waitFor };
};

test('a payment whose verification failed has no notCharged while a copy of the payment waits in the queue', async () => {
  const { queue, waitFor } = createCountedQueue();
  // Both requests have the same payment. The first request claims the payment only after the second request has found
  // no row and waits in the queue.
  const db = interceptCalls(service.world.db, async (name) => {
    if (name === 'claim_payment') await waitFor(2);
  });
  const seller = await service.openSellerWithLongTimeouts({ db, queue });
  const { payment } = await createPayment(service.payer, seller.trust, BODY);
  const fail = respondWith('/verify', 'oops', 500);
  service.proxy.setFault((call) => service.proxy.calls.length === 1 && fail(call));
  const first = post(seller.trust, BODY, { payment });
  await waitFor(1);
  const second = post(seller.trust, BODY, { payment });
  const [failed, sold] = await Promise.all([first, second]);
  expect(sold.status).toBe(200);
  expect(toStatusAndCode(failed)).toEqual([503, 'payment-unavailable']);
  expect(failed.text).not.toMatch(/notCharged|nothing was charged/i);
});

describe('while a payment waits in the queue, a copy of the payment has no notCharged', () => {
  test.each(['with an invalid body', 'with an additional member', 'after a change of its amount'])(
    '%s',
    async (kind) => {
      const { queue, waitFor } = createCountedQueue();
      const seller = await service.openSellerWithLongTimeouts({ queue });
      const [slow, waiting] = [
        await createPayment(service.payer, seller.trust, BODY),
        await createPayment(service.payer, seller.trust, BODY),
      ];
      let finish = (): void => undefined;
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      service.proxy.setFault(async ({ path }) => {
        if (path === '/verify') await finished;
        return false;
      });
      const sold = [post(seller.trust, BODY, { payment: slow.payment })];
      await waitFor(1);
      sold.push(post(seller.trust, BODY, { payment: waiting.payment }));
      await waitFor(2);
      const { payload } = waiting.payload;
      const authorization = { ...(payload['authorization'] as object), value: '1' };
      const changed =
        kind === 'with an additional member' ? { ...payload, permit: {} } : { ...payload, authorization };
      const reply =
        kind === 'with an invalid body'
          ? await post(seller.trust, { resource: 7 }, { payment: waiting.payment })
          : await post(seller.trust, BODY, {
              payment: encodePayment({ ...waiting.payload, payload: changed }),
            });
      finish();
      for (const { status } of await Promise.all(sold)) expect(status).toBe(200);
      expect([400, 402]).toContain(reply.status);
      expect(reply.text).not.toMatch(/notCharged|nothing was charged/i);
    },
  );
});

/** Delays each verification until the test calls `release`. */
const holdVerification = () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  service.proxy.setFault(async ({ path }) => {
    if (path === '/verify') await promise;
    return false;
  });
  return () => resolve(undefined);
};

test.each([
  ['that may write', { onlyReads: false, isSettled: true }],
  ['that only reads, of a payer without a settled payment,', { onlyReads: true, isSettled: false }],
] as const)('work %s starts after the verification', async (_, { onlyReads, isSettled }) => {
  const seller = await service.openSeller({}, { onlyReads });
  const payer = await service.world.createWallet();
  if (isSettled) expect((await buy(payer, seller.trust, BODY)).status).toBe(200);
  const { payment } = await createPayment(payer, seller.trust, BODY);
  service.proxy.calls.length = 0;
  service.workedFor.length = 0;
  const release = holdVerification();
  const bought = post(seller.trust, BODY, { payment });
  await expect.poll(() => service.proxy.calls).toContain('/verify');
  expect(service.workedFor).toEqual([]);
  release();
  expect((await bought).status).toBe(200);
  expect(service.workedFor).toHaveLength(1);
});

describe('work that only reads, of a payer whose last payment was settled,', () => {
  const openWithSettledPayer = async () => {
    const seller = await service.openSeller({}, { onlyReads: true });
    const payer = await service.world.createWallet();
    expect((await buy(payer, seller.trust, BODY)).status).toBe(200);
    service.workedFor.length = 0;
    return { seller, payer };
  };

  test('starts beside the verification, and is done once', async () => {
    const { seller, payer } = await openWithSettledPayer();
    const { payment } = await createPayment(payer, seller.trust, BODY);
    const release = holdVerification();
    const bought = post(seller.trust, BODY, { payment });
    await expect.poll(() => service.workedFor).toHaveLength(1);
    release();
    expect((await bought).status).toBe(200);
    expect(service.workedFor).toHaveLength(1);
  });

  test('is dropped after a refusal, and does not start early for the next payment', async () => {
    const { seller, payer } = await openWithSettledPayer();
    service.proxy.setFault(respondWith('/verify', { isValid: false, invalidReason: 'insufficient_funds' }));
    const attempt = () => service.expectNotCharged(() => buy(payer, seller.trust, BODY));
    expect(toStatusAndCode(await attempt())).toEqual([402, 'insufficient_funds']);
    expect(service.workedFor).toHaveLength(1);
    expect((await attempt()).status).toBe(402);
    expect(service.workedFor).toHaveLength(1);
  });

  test('does not start early again for authorizations with a nonce that is used', async () => {
    const { seller, payer } = await openWithSettledPayer();
    const { payload, payment } = await createPayment(payer, seller.trust, BODY);
    expect((await post(seller.trust, BODY, { payment })).status).toBe(200);
    service.workedFor.length = 0;
    for (const seconds of [1, 2]) {
      const changed = await service.world.signAgain(payer, payload, { secondsEarlier: seconds });
      const reply = await post(seller.trust, BODY, { payment: encodePayment(changed) });
      expect(reply.status).toBe(402);
      expect(service.workedFor).toHaveLength(1);
    }
  });

  test('fails without a charge, and its error is reported once', async () => {
    const errors: string[] = [];
    const onError = (message: string) => void errors.push(message);
    const seller = await service.openSeller({ onError }, { onlyReads: true });
    const payer = await service.world.createWallet();
    expect((await buy(payer, seller.trust, BODY)).status).toBe(200);
    service.behavior.work = () => Promise.reject(new Error('the database is away'));
    const reply = await service.expectNotCharged(() => buy(payer, seller.trust, BODY));
    expect([reply.status, errors]).toEqual([500, ['paid work failed']]);
  });
});
