import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '@touchstone/common';
import { historySchema, type History } from '@touchstone/contract';
import { discover } from '../discovery/discover.ts';
import { toEndpointId } from '../testing/reports.ts';
import { useWorld, item } from '../testing/world.ts';
import { readHistory } from './history.ts';

const world = useWorld();
beforeEach(async () => {
  world.items = [item(url('/paid'))];
  await discover(world.context);
});

const url = (path: string): string => world.toUrl(path);

/** Reads the history of the endpoint and validates it with the history schema. */
async function readValidHistory(days: number, resolution: 'all' | 'daily' = 'all'): Promise<History> {
  const query = { resource: url('/paid'), days, now: world.time, resolution };
  return historySchema.parse(await readHistory(world.context.db, query));
}

/** Creates stored payment terms. All options except the last option cost 1 atomic unit. */
function createStoredTerms(
  amount: string,
  count: number,
  { payToEnd = '', description = null as string | null } = {},
) {
  const options = Array.from({ length: count }, (_, i) => ({
    ...{ scheme: 'exact', network: 'eip155:8453', asset: `0x${'8'.repeat(40)}`, assetSymbol: 'USDC' },
    ...{ decimals: 6, amount: i === count - 1 ? amount : '1', amountUsd: '0.000001' },
    payTo: `0x${'1'.repeat(40)}${payToEnd}`,
  }));
  const flags = {
    falseUsdc: false,
    resourceInfoMissing: false,
    headerBodyMismatch: false,
    neededSettings: [],
    redirect: null,
  };
  return { version: 2, options, description, ...flags };
}

/**
 * Inserts the price changes between each state of the payment terms and the next state. There is one change per second,
 * and the last change is now.
 */
async function insertPriceChanges(states: readonly ReturnType<typeof createStoredTerms>[]): Promise<void> {
  const rows = states.slice(1).map((after, i) => ({
    endpoint_id: toEndpointId(url('/paid')),
    at: new Date(world.time - (states.length - 2 - i) * 1_000).toISOString(),
    kind: 'price_change',
    before: states[i] ?? null,
    after,
  }));
  const { error } = await world.context.db.from('changes').insert(rows);
  expect(error).toBeNull();
}

/** Inserts daily figures with failures of 30 causes, and the last failure. */
async function insertDays(count: number): Promise<void> {
  const { db } = world.context;
  const endpoint_id = toEndpointId(url('/paid'));
  const causes = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`http-${String(500 + i)}`, 3]));
  const days = Array.from({ length: count }, (_, i) => new Date(world.time - i * DAY_MS).toISOString());
  const figures = { probes: 1_440, scored: 1_430, up: 1_339, latency_n: 0, latency_sum_ms: 0, causes };
  const response_histogram = Array.from({ length: 64 }, (_, i) => (i > 40 && i < 60 ? 70 : 0));
  const rows = days.map((at) => ({ endpoint_id, day: at.slice(0, 10), ...figures, response_histogram }));
  const score = { score: 66.6, grade: 'C', recommendation: 'caution' };
  const time = new Date(world.time).toISOString();
  const detail = 'Timeout. '.repeat(30);
  const last_failure = { at: time, since: time, phase: 'tls', httpStatus: null, error: 'timeout', detail };
  const results = await Promise.all([
    db.from('daily_rollups').insert(rows),
    db.from('daily_scores').insert(days.map((at) => ({ endpoint_id, day: at.slice(0, 10), ...score }))),
    db.from('endpoint_states').update({ last_failure }).eq('endpoint_id', endpoint_id),
  ]);
  expect(results.map(({ error }) => error)).toEqual([null, null, null]);
}

describe('a history of 30 days with daily figures', () => {
  const MAX_BYTES = 15_000;
  const getBytes = (history: History): number => Buffer.byteLength(JSON.stringify(history));
  beforeEach(async () => {
    world.time += 30 * DAY_MS;
    await insertDays(30);
  });

  it('has only the changed options of the newest changes', async () => {
    const description = 'Weather by city. '.repeat(20);
    const amounts = Array.from({ length: 200 }, (_, i) => String(10_000 + i));
    await insertPriceChanges(amounts.map((amount) => createStoredTerms(amount, 12, { description })));
    const found = await readValidHistory(30, 'daily');
    expect(getBytes(found)).toBeLessThan(MAX_BYTES);
    expect(found).toMatchObject({ probes: [], probesResolution: 'daily' });
    expect(found.daily.length).toBeGreaterThanOrEqual(30);
    expect(Object.keys(found.lastFailure?.causes30d ?? {})).toHaveLength(20);
    expect(found.snapshots.length).toBeGreaterThanOrEqual(10);
    expect(found.snapshots.length).toBeLessThanOrEqual(20);
    const { before, after } = found.snapshots.at(-1) ?? {};
    expect(before).toMatchObject({ options: [{ amount: '10198' }] });
    expect(after).toMatchObject({ options: [{ amount: '10199' }] });
  });

  it('is smaller than 15 kB when every change has many long options', async () => {
    const states = Array.from({ length: 40 }, (_, i) =>
      createStoredTerms('1', 100, { payToEnd: '€'.repeat(120 + (i % 2)), description: '€'.repeat(2_000) }),
    );
    await insertPriceChanges(states);
    const found = await readValidHistory(30, 'daily');
    expect(getBytes(found)).toBeLessThan(MAX_BYTES);
    expect(found.snapshots.length).toBeGreaterThanOrEqual(1);
    expect(found.snapshots.at(-1)?.after).toMatchObject({ options: [{}, {}, {}] });
  });

  it('has at most 20 events', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => ({
      endpoint_id: toEndpointId(url('/paid')),
      at: new Date(world.time - i * 1_000).toISOString(),
      kind: i % 2 === 0 ? 'relisted' : 'delisted',
    }));
    await world.context.db.from('changes').insert(rows);
    const { snapshots } = await readValidHistory(30, 'daily');
    expect(snapshots).toHaveLength(20);
    expect(snapshots.at(-1)?.at).toBe(new Date(world.time).toISOString());
  });
});

describe('a history', () => {
  it('contains the newest changes of an endpoint with very many changes', async () => {
    world.time += DAY_MS;
    const terms = createStoredTerms('1', 100, { payToEnd: '1'.repeat(400) });
    await insertPriceChanges(Array.from({ length: 201 }, () => terms));
    const found = await readValidHistory(1);
    expect(found.snapshots.length).toBeGreaterThan(20);
    expect(found.snapshots.length).toBeLessThan(200);
    expect(found.snapshots.at(-1)?.at).toBe(new Date(world.time).toISOString());
    expect(JSON.stringify(found).length).toBeLessThan(10 * 1024 * 1024);
  });
});
