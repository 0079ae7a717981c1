import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createPayment, post } from '../testing/buyer.ts';
import type { Fault } from '../testing/facilitator-proxy.ts';
import { CLIENT_HEADER, type Work } from '../testing/serve-seller.ts';
import { BODY, openTestService, toStatusAndCode, type TestService } from '../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterEach(() => service.reset());
afterAll(() => service.close());

/** Work that only reads before it waits for the verification. Its log shows how far each of its runs came. */
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

test('other work starts after the verification', async () => {
  const { log, buy } = await openEarlySeller(false);
  const { fault, release } = holdVerification();
  service.proxy.setFault(fault);
  const bought = buy('anna');
  await expect.poll(() => service.proxy.calls).toContain('/verify');
  expect(log).toEqual([]);
  release();
  expect((await bought).status).toBe(200);
});

test('early work ends when its payment is refused, and the client gets none for the next minute', async () => {
  const { log, buy } = await openEarlySeller(true);
  const poor = privateKeyToAccount(generatePrivateKey());
  const refused = await service.expectNotCharged(() => buy('mallory', poor));
  expect(toStatusAndCode(refused)).toEqual([402, 'invalid_exact_evm_insufficient_balance']);
  expect(log.splice(0)).toEqual(['mallory starts', 'mallory is refused']);
  await service.expectNotCharged(() => buy('mallory', poor));
  expect(log).toEqual([]);
  expect((await buy('mallory')).status).toBe(200);
  expect(log.splice(0)).toEqual(['mallory starts', 'mallory is verified']);
  service.behavior.clockOffsetMs = 60_000;
  await service.expectNotCharged(() => buy('mallory', poor));
  expect(log).toEqual(['mallory starts', 'mallory is refused']);
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
