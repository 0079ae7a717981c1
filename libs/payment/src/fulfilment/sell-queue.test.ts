import { createProblem } from '@touchstone/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFacilitator, createPurchaseQueue } from '../index.ts';
import { createPayment, post } from '../testing/buyer.ts';
import { CLIENT_HEADER } from '../testing/serve-seller.ts';
import { BODY, openTestService, toStatusAndCode, type TestService } from '../testing/test-service.ts';

const ATTACKS = 40;
/** Timeouts of the facilitator client in milliseconds. They are long because this machine runs all processes. */
const LONG_TIMEOUTS = { verifyMs: 60_000, settleMs: 60_000 };
const QUEUE = { maxTurns: 4, maxTurnsPerClient: 3, maxPurchases: 100, maxPurchasesPerClient: 50 };

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

test('sells to other clients while unpaid work of one client never ends', async () => {
  const facilitator = createFacilitator({ url: service.proxy.url, timeouts: LONG_TIMEOUTS });
  const seller = await service.openSeller({
    facilitator,
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
  // A result that was already bought needs no turn, also for the client whose purchases wait.
  expect(
    (await post(seller.history, BODY, { ...extras, headers: { [CLIENT_HEADER]: 'attacker' } })).status,
  ).toBe(200);
  end();
  for (const reply of await Promise.all(attacks)) {
    expect(toStatusAndCode(reply)[1]).toBe('not-probeable');
    expect(reply.body).toHaveProperty('notCharged', true);
  }
}, 120_000);
