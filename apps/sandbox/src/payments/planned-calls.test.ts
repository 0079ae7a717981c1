import { DAY_MS } from '@touchstone/common';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadScenario } from '../scenario/scenario-schema.ts';
import { createSimulatedEndpoints } from '../endpoints/simulated-endpoint.ts';
import { TEST_EPOCH } from '../testing/test-sandbox.ts';
import {
  listBuyerNames,
  planCalls,
  toSellerName,
  type PlannedCall,
  type PlanOptions,
} from './planned-calls.ts';

const epoch = Date.parse(TEST_EPOCH);
const scenario = loadScenario();

function createOptions(seed: string): PlanOptions {
  return { endpoints: createSimulatedEndpoints({ scenario, seed, epoch }), seed, epoch };
}

function plan(after: number, through: number, seed = 'seed') {
  return planCalls(createOptions(seed), { after: epoch + after, through: epoch + through });
}

function toRows(calls: readonly PlannedCall[]) {
  return calls.map(({ endpoint, at, buyer, wash }) => [endpoint.definition.name, at, buyer, wash]);
}

test('plans the same calls with the same seed, and others with another seed', () => {
  expect(toRows(plan(0, 3 * DAY_MS))).toEqual(toRows(plan(0, 3 * DAY_MS)));
  expect(toRows(plan(0, 3 * DAY_MS, 'other'))).not.toEqual(toRows(plan(0, 3 * DAY_MS)));
});

test('plans every call once and in order, for any division of the time span', () => {
  const whole = toRows(plan(-1, 3 * DAY_MS));
  const boundaries = fc.uniqueArray(fc.integer({ min: 0, max: 3 * DAY_MS - 1 }), { maxLength: 6 });
  fc.assert(
    fc.property(boundaries, (inner) => {
      const ends = [-1, ...inner.toSorted((a, b) => a - b), 3 * DAY_MS];
      const pieces = ends.slice(1).flatMap((end, index) => toRows(plan(ends[index] ?? 0, end)));
      expect(pieces).toEqual(whole);
    }),
    { numRuns: 25 },
  );
});

test('plans no calls before the epoch', () => {
  expect(plan(-30 * DAY_MS, -1)).toEqual([]);
});

test('plans about as many calls as the scenario defines, with at most as many wallets', () => {
  const days = 40;
  const calls = plan(-1, days * DAY_MS - 1);
  const trades = scenario.endpoints.flatMap(({ name, customers, washTrading, selfPayments }) => [
    ...(customers ? [{ name, ...customers, by: 'agent' }] : []),
    ...(washTrading ? [{ name, ...washTrading, by: 'wash' }] : []),
    ...(selfPayments ? [{ name, ...selfPayments, wallets: 1, by: 'seller' }] : []),
  ]);
  expect(trades.length).toBeGreaterThan(20);
  for (const { name, by, wallets, callsPerDay } of trades) {
    const own = calls.filter((call) => call.endpoint.definition.name === name && call.buyer.startsWith(by));
    expect(own.every(({ wash }) => wash === (by !== 'agent'))).toBe(true);
    const expected = days * callsPerDay;
    expect(Math.abs(own.length - expected), name).toBeLessThan(0.15 * expected + 12);
    expect(new Set(own.map(({ buyer }) => buyer)).size, name).toBeLessThanOrEqual(wallets);
  }
  const known = new Set([...listBuyerNames(createOptions('seed')), toSellerName('memepulse')]);
  expect(calls.filter(({ buyer }) => !known.has(buyer))).toEqual([]);
});
