import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@touchstone/common';
import { afterEach, expect, test } from 'vitest';
import { loadScenario } from '../scenario/scenario-schema.ts';
import { createSimulatedEndpoints } from '../endpoints/simulated-endpoint.ts';
import { TEST_EPOCH } from '../testing/test-sandbox.ts';
import { TEST_SEED, openTestPaymentSystem, type TestPaymentSystem } from '../testing/test-payment-system.ts';
import { planCalls } from './planned-calls.ts';

const WINDOW_MS = 15_000;
const epoch = Date.parse(TEST_EPOCH);
const endpoints = createSimulatedEndpoints({ scenario: loadScenario(), seed: TEST_SEED, epoch });

function plan(after: number, through: number) {
  return planCalls({ endpoints, seed: TEST_SEED, epoch }, { after, through });
}

/** First call that is planned on the second day for the healthy endpoint `skyfall-current`. */
const plannedCall = plan(epoch + DAY_MS, epoch + 2 * DAY_MS).find(
  ({ endpoint }) => endpoint.definition.name === 'skyfall-current',
);
if (!plannedCall) throw new Error('no call of skyfall-current is planned');

let payments: TestPaymentSystem;
afterEach(() => payments.close());

test('agents follow real time on request, and skip calls that are overdue', async () => {
  payments = await openTestPaymentSystem({ epoch, now: () => plannedCall.at });
  const { ledger } = payments.system;
  const agents = payments.system.startAgents(payments);
  await sleep(300);
  expect(ledger.size()).toBe(0);

  agents.followClock(null);
  const due = plan(plannedCall.at - WINDOW_MS, plannedCall.at).map(
    ({ endpoint }) => endpoint.definition.name,
  );
  await expect
    .poll(() => readFile(ledger.file, 'utf8').catch(() => ''), { timeout: 40_000 })
    .toContain('"endpoint":"skyfall-current"');
  await expect.poll(() => agents.paidThrough(), { timeout: 10_000 }).toBe(plannedCall.at);
  await sleep(300);
  agents.stop();
  const bought = (await readFile(ledger.file, 'utf8')).split('\n').slice(0, -1);
  expect(bought.join('\n')).toContain('"endpoint":"skyfall-current"');
  expect(bought.length).toBeLessThanOrEqual(due.length);
  expect(agents.paidThrough()).toBe(plannedCall.at);
});
