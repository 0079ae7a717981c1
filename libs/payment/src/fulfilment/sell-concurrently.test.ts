import { createProblem } from '@touchstone/contract';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test, describe } from 'vitest';
import { createPurchaseQueue, type PurchaseQueue } from '../index.ts';
import { createPayment, post, encodePayment } from '../testing/buyer.ts';
import { respondWith, type Fault } from '../testing/facilitator-proxy.ts';
import { CLIENT_HEADER, type Work } from '../testing/serve-seller.ts';
import { BODY, useTestService, toStatusAndCode, interceptCalls } from '../testing/test-service.ts';

const ATTACKS = 10;
const QUEUE = { maxTurns: 4, maxTurnsPerClient: 3, maxPurchases: 100, maxPurchasesPerClient: 50 };

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
    await context.turn.release(() => {
      pending += 1;
      return ended;
    });
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

describe('while a payment waits for its turn, a copy of it has no notCharged', () => {
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

/** Creates work that waits for the verification. It adds its steps to the log, with the name of the client. */
const logWork = (log: string[]): Work => {
  return async (_, __, { client, verified }) => {
    log.push(`${client} starts`);
    await verified.catch((error: unknown) => {
      log.push(`${client} is refused`);
      throw error;
    });
    log.push(`${client} is verified`);
    return { body: { about: client } };
  };
};

/** Holds the calls for a verification until `release` is called. */
const holdVerification = () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const fault: Fault = async ({ path }) => {
    if (path === '/verify') await promise;
    return false;
  };
  return { fault, release: () => resolve(undefined) };
};

const openEarlySeller = async (startsEarly: boolean) => {
  const log: string[] = [];
  service.behavior.work = logWork(log);
  const seller = await service.openSeller({}, { startsEarly });
  const buy = async (client: string, payer = service.payer) => {
    const { payment } = await createPayment(payer, seller.trust, BODY);
    return post(seller.trust, BODY, { payment, headers: { [CLIENT_HEADER]: client } });
  };
  return { log, buy };
};

test('early work starts before the verification, and continues after it', async () => {
  const { log, buy } = await openEarlySeller(true);
  const { fault, release } = holdVerification();
  service.proxy.setFault(fault);
  const bought = buy('anna');
  await expect.poll(() => log).toEqual(['anna starts']);
  release();
  const reply = await bought;
  expect([reply.status, reply.body]).toEqual([200, { about: 'anna' }]);
  expect(log).toEqual(['anna starts', 'anna is verified']);
});

test('work without startsEarly starts after the verification', async () => {
  const { log, buy } = await openEarlySeller(false);
  const { fault, release } = holdVerification();
  service.proxy.setFault(fault);
  const bought = buy('anna');
  await expect.poll(() => service.proxy.calls).toContain('/verify');
  expect(log).toEqual([]);
  release();
  expect((await bought).status).toBe(200);
});

test('early work ends when its payment is refused, and later work of this client does not start early', async () => {
  const { log, buy } = await openEarlySeller(true);
  const poor = privateKeyToAccount(generatePrivateKey());
  const refused = await service.expectNotCharged(() => buy('mallory', poor));
  expect(toStatusAndCode(refused)).toEqual([402, 'invalid_exact_evm_insufficient_balance']);
  expect(log.splice(0)).toEqual(['mallory starts', 'mallory is refused']);
  await service.expectNotCharged(() => buy('mallory', poor));
  expect(log).toEqual([]);
  expect((await buy('mallory')).status).toBe(200);
  expect(log.splice(0)).toEqual(['mallory starts', 'mallory is verified']);
  await service.expectNotCharged(() => buy('anna', poor));
  expect(log).toEqual(['anna starts', 'anna is refused']);
});

test('the error of early work is reported once, and nothing is charged', async () => {
  const errors: string[] = [];
  service.behavior.work = () => Promise.reject(new Error('the database is away'));
  const onError = (message: string) => void errors.push(message);
  const seller = await service.openSeller({ onError }, { startsEarly: true });
  const { payment } = await createPayment(service.payer, seller.trust, BODY);
  const reply = await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
  expect([reply.status, errors]).toEqual([500, ['paid work failed']]);
});

test('an unavailable facilitator does not keep the client from early work', async () => {
  const { log, buy } = await openEarlySeller(true);
  service.proxy.setFault(respondWith('/verify', 'away', 503));
  const unverified = await service.expectNotCharged(() => buy('anna'));
  expect(toStatusAndCode(unverified)).toEqual([503, 'payment-unavailable']);
  service.proxy.setFault(null);
  expect((await buy('anna')).status).toBe(200);
  expect(log).toEqual(['anna starts', 'anna is refused', 'anna starts', 'anna is verified']);
});

test('at most eight purchases have work that starts early, and the others are served too', async () => {
  const { log, buy } = await openEarlySeller(true);
  const { fault, release } = holdVerification();
  service.proxy.setFault(fault);
  const bought = Array.from({ length: 10 }, () => buy('anna'));
  await expect.poll(() => service.proxy.calls.filter((path) => path === '/verify')).toHaveLength(10);
  await expect.poll(() => log).toHaveLength(8);
  release();
  const replies = await Promise.all(bought);
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
});
