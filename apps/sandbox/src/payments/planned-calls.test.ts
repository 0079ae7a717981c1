import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadScenario } from '../load-scenario.ts';
import { residentsOf } from '../resident.ts';
import { TEST_EPOCH } from '../test-world.ts';
import { buyersOf, plannedCalls, sellerName } from './planned-calls.ts';
import type { PlannedCall, PlanOptions } from './planned-calls.ts';

const DAY_MS = 86_400_000;
const epoch = Date.parse(TEST_EPOCH);
const scenario = loadScenario();
const world = (seed: string): PlanOptions => ({
  residents: residentsOf({ scenario, seed, epoch }),
  seed,
  epoch,
});
const plan = (after: number, through: number, seed = 'seed') =>
  plannedCalls(world(seed), { after: epoch + after, through: epoch + through });
const told = (calls: readonly PlannedCall[]) =>
  calls.map(({ resident, at, buyer, wash }) => [resident.endpoint.name, at, buyer, wash]);

test('the same seed plans the same calls, and another one others', () => {
  expect(told(plan(0, 3 * DAY_MS))).toEqual(told(plan(0, 3 * DAY_MS)));
  expect(told(plan(0, 3 * DAY_MS, 'other'))).not.toEqual(told(plan(0, 3 * DAY_MS)));
});

test('however time is cut into pieces, every call is planned once and in order', () => {
  const whole = told(plan(-1, 3 * DAY_MS));
  const cuts = fc.uniqueArray(fc.integer({ min: 0, max: 3 * DAY_MS - 1 }), { maxLength: 6 });
  fc.assert(
    fc.property(cuts, (inner) => {
      const ends = [-1, ...inner.toSorted((a, b) => a - b), 3 * DAY_MS];
      const pieces = ends.slice(1).flatMap((end, index) => told(plan(ends[index] ?? 0, end)));
      expect(pieces).toEqual(whole);
    }),
    { numRuns: 25 },
  );
});

test('nothing is bought before the world begins', () => {
  expect(plan(-30 * DAY_MS, -1)).toEqual([]);
});

test('each endpoint is called about as often as the scenario says, by as many wallets', () => {
  const days = 40;
  const calls = plan(-1, days * DAY_MS - 1);
  const trades = scenario.endpoints.flatMap(({ name, customers, washTrading, selfPayments }) => [
    ...(customers ? [{ name, ...customers, by: 'agent' }] : []),
    ...(washTrading ? [{ name, ...washTrading, by: 'wash' }] : []),
    ...(selfPayments ? [{ name, ...selfPayments, wallets: 1, by: 'seller' }] : []),
  ]);
  expect(trades.length).toBeGreaterThan(20);
  for (const { name, by, wallets, callsPerDay } of trades) {
    const own = calls.filter((call) => call.resident.endpoint.name === name && call.buyer.startsWith(by));
    expect(own.every(({ wash }) => wash === (by !== 'agent'))).toBe(true);
    const expected = days * callsPerDay;
    expect(Math.abs(own.length - expected), name).toBeLessThan(0.15 * expected + 12);
    expect(new Set(own.map(({ buyer }) => buyer)).size, name).toBeLessThanOrEqual(wallets);
  }
  const known = new Set([...buyersOf(world('seed')), sellerName('memepulse')]);
  expect(calls.filter(({ buyer }) => !known.has(buyer))).toEqual([]);
});
