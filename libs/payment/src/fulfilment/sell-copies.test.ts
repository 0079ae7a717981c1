import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFacilitator, createPurchaseQueue, type PurchaseQueue, type SellerOptions } from '../index.ts';
import { createPayment, encodePayment, post } from '../testing/buyer.ts';
import { respondWith } from '../testing/facilitator-proxy.ts';
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

/** Opens a seller that waits longer for the facilitator, because this machine runs all processes. */
const openSeller = (options: Partial<SellerOptions>) => {
  const timeouts = { verifyMs: 60_000, settleMs: 60_000 };
  return service.openSeller({
    facilitator: createFacilitator({ url: service.proxy.url, timeouts }),
    ...options,
  });
};

/** Creates a queue with one turn, which counts the purchases that entered it. */
const createCountedQueue = () => {
  const inner = createPurchaseQueue({
    maxTurns: 1,
    maxTurnsPerClient: 1,
    maxPurchases: 9,
    maxPurchasesPerClient: 9,
  });
  const counted = { entered: 0 };
  const run: PurchaseQueue['run'] = (client, purchase) => {
    counted.entered += 1;
    return inner.run(client, purchase);
  };
  const waitFor = (count: number) => expect.poll(() => counted.entered, { timeout: 20_000 }).toBe(count);
  return { queue: { run }, waitFor };
};

test('a payment whose verification failed has no notCharged while a copy of it waits for its turn', async () => {
  const { queue, waitFor } = createCountedQueue();
  // The first copy claims the payment when the second one has found no row and waits for its turn.
  const db = interceptCalls(service.world.db, async (name) => {
    if (name === 'claim_payment') await waitFor(2);
  });
  const seller = await openSeller({ db, queue });
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

describe('while a payment waits for its turn, a copy of it has no notCharged', () => {
  test.each(['with an invalid body', 'with an additional member', 'after a change of its amount'])(
    '%s',
    async (kind) => {
      const { queue, waitFor } = createCountedQueue();
      const seller = await openSeller({ queue });
      const [slow, waiting] = [
        await createPayment(service.payer, seller.trust, BODY),
        await createPayment(service.payer, seller.trust, BODY),
      ];
      let finish = (): void => undefined;
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      service.behavior.work = async (...call) => {
        await finished;
        return service.defaultWork(...call);
      };
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
