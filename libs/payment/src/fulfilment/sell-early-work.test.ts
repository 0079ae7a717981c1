import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createPayment, post } from '../testing/buyer.ts';
import { respondWith, type Fault } from '../testing/facilitator-proxy.ts';
import { CLIENT_HEADER, type Work } from '../testing/serve-seller.ts';
import { BODY, openTestService, toStatusAndCode, type TestService } from '../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterEach(() => service.reset());
afterAll(() => service.close());

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
