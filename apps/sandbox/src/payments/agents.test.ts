import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { loadScenario } from '../load-scenario.ts';
import { residentsOf } from '../resident.ts';
import { TEST_EPOCH } from '../test-world.ts';
import { plannedCalls } from './planned-calls.ts';
import { MARKET_SEED, openTestMarket } from './test-market.ts';
import type { TestMarket } from './test-market.ts';

const DAY_MS = 86_400_000;
const WINDOW_MS = 15_000;
const epoch = Date.parse(TEST_EPOCH);
const residents = residentsOf({ scenario: loadScenario(), seed: MARKET_SEED, epoch });
const plan = (after: number, through: number) =>
  plannedCalls({ residents, seed: MARKET_SEED, epoch }, { after, through });
/** A moment at which somebody calls an endpoint that works, a day after the world began. */
const busy = plan(epoch + DAY_MS, epoch + 2 * DAY_MS).find(
  ({ resident }) => resident.endpoint.name === 'skyfall-current',
);
if (!busy) throw new Error('nobody calls skyfall-current');

let market: TestMarket;
afterEach(() => market.close());

test('in real time agents buy what is due now, once they are told to, and nothing that they missed', async () => {
  market = await openTestMarket({ epoch, now: () => busy.at });
  const { ledger } = market.economy;
  const agents = market.economy.bringAgents(market);
  await sleep(300);
  expect(ledger.size()).toBe(0);

  agents.follow(null);
  const due = plan(busy.at - WINDOW_MS, busy.at).map(({ resident }) => resident.endpoint.name);
  for (let waited = 0; ledger.size() === 0 && waited < 10_000; waited += 50) await sleep(50);
  await sleep(300);
  agents.stop();
  const bought = (await readFile(ledger.file, 'utf8')).split('\n').slice(0, -1);
  expect(bought.join('\n')).toContain('"endpoint":"skyfall-current"');
  expect(bought.length).toBeLessThanOrEqual(due.length);
  expect(agents.paidThrough()).toBe(busy.at);
});
