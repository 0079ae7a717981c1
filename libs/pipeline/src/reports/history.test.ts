import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { historySchema, type History } from '@touchstone/contract';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { maintainPartitions } from '@touchstone/store';
import { DAY_MS } from '@touchstone/common';
import { MAX_PERCENTILE_ERROR_PERCENT } from '@touchstone/trust';
import { discover } from '../discovery/discover.ts';
import { readHistory } from './history.ts';
import { scoreChanged } from '../scoring/score-changed.ts';
import { claimAndProbe } from '../probing/probe-due.ts';
import { toEndpointId } from '../testing/reports.ts';
import { challenge, createWorld, item, type World } from '../testing/world.ts';

const keys = createKeys();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let database: EmbeddedDatabase;
let world: World;
let tests = 0;

beforeAll(async () => {
  database = await startMigrated({ keys });
});
afterAll(() => database.close());
beforeEach(async () => {
  tests += 1;
  world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, 3, tests));
  world.handlers.set('/paid', challenge);
});
afterEach(() => world.close());

const url = (path: string): string => `http://h${tests}.example.com${path}`;

async function list(...items: unknown[]): Promise<void> {
  world.items = items;
  await discover(world.context);
}

/** Reads the history of an endpoint and validates it with the history schema. */
async function readValidHistory(resource: string, days = 30): Promise<History> {
  const found = await readHistory(world.context.db, { resource, days, now: world.time });
  return historySchema.parse(found);
}

/**
 * Inserts past observations into the database without sending probes. There is one every `everyMs` milliseconds; the
 * last one is now.
 */
async function insertObservations(
  everyMs: number,
  count: number,
): Promise<readonly { at: number; up: boolean }[]> {
  const { db } = world.context;
  const first = world.time - (count - 1) * everyMs;
  await maintainPartitions(db, { from: first, to: world.time });
  const seen = Array.from({ length: count }, (_, i) => ({ at: first + i * everyMs, up: i % 7 !== 0 }));
  for (let start = 0; start < count; start += 2_000) {
    const rows = seen.slice(start, start + 2_000).map(({ at, up }, i) => ({
      endpoint_id: toEndpointId(url('/paid')),
      at: new Date(at).toISOString(),
      outcome: up ? 'challenged' : 'server-error',
      vitality: up ? 1 : 0,
      http_status: up ? 402 : 500,
      latency_ms: 100 + ((start + i) % 12),
      transfer_ms: 50,
      compliance: up ? 'pass' : null,
      amount_usd: up ? 0.01 : null,
    }));
    const { error } = await db.from('observations').insert(rows);
    if (error) throw new Error(error.message);
  }
  return seen;
}

describe('a history', () => {
  it('contains events and probes, the oldest first', async () => {
    const resource = url('/paid');
    const others = ['/1', '/2', '/3'].map((path) => item(url(path)));
    await list(...others, item(resource));
    for (let i = 0; i < 3; i += 1) {
      world.time += 30 * MINUTE;
      await claimAndProbe(world.context);
    }
    world.handlers.set('/paid', (response, at) =>
      challenge(response, at, { amount: '20000', payTo: `0x${'3'.repeat(40)}` }),
    );
    world.time += 30 * MINUTE;
    await claimAndProbe(world.context);
    world.handlers.set('/paid', (response) => response.writeHead(500).end());
    world.time += 30 * MINUTE;
    await claimAndProbe(world.context);
    await list(...others);
    world.time += HOUR;
    await list(...others);
    world.time += HOUR;
    await list(...others, item(resource));
    await scoreChanged(world.context);

    const requested = `HTTP://H${tests}.example.com:80/paid`;
    const found = await readValidHistory(requested, 7);
    expect(found).toMatchObject({
      resource: requested,
      days: 7,
      from: new Date(world.time - 7 * DAY_MS).toISOString(),
      to: new Date(world.time).toISOString(),
      probesResolution: 'raw',
    });
    const events = found.snapshots.map(({ event }) => event);
    expect(events).toEqual(['listed', 'payto_change', 'price_change', 'delisted', 'relisted']);
    const price = found.snapshots.find(({ event }) => event === 'price_change');
    expect(price).toMatchObject({
      before: { options: [{ amount: '10000', amountUsd: '0.010000' }] },
      after: { options: [{ amount: '20000', amountUsd: '0.020000' }], description: 'Weather by city' },
    });
    expect(found.snapshots.find(({ event }) => event === 'delisted')).toMatchObject({
      before: null,
      after: null,
    });

    expect(found.probes.map(({ outcome }) => outcome)).toEqual([
      ...Array.from({ length: 4 }, () => 'challenged'),
      'server-error',
    ]);
    expect(found.probes[3]).toMatchObject({
      httpStatus: 402,
      error: null,
      compliant: true,
      amountUsd: '0.020000',
    });
    const failed = { httpStatus: 500, error: 'http-500', compliant: null, amountUsd: null };
    expect(found.probes[4]).toMatchObject(failed);
    expect(found.lastFailure).toMatchObject({ error: 'http-500', causes30d: { 'http-500': 1 } });
    expect(found.probes[0]).not.toHaveProperty('probes');
    const times = found.probes.map(({ at }) => at);
    expect(times).toEqual([...times].sort());

    expect(found.daily).toHaveLength(1);
    expect(found.daily[0]).toMatchObject({ probes: 5, scored: 5, up: 4 });
    expect(found.daily[0]?.latencyMsP50).toBeGreaterThan(0);
    const { data } = await world.context.db
      .from('snapshots')
      .select('score')
      .eq('endpoint_id', toEndpointId(resource))
      .single();
    expect(found.daily[0]?.score).toBe(data?.score);
  });

  it('has daily figures of the same 24 hours as its probes when it covers one day', async () => {
    await list(item(url('/paid')));
    world.time += 3 * DAY_MS + 7 * HOUR;
    for (let i = 0; i < 60; i += 1) {
      world.time += 30 * MINUTE;
      await claimAndProbe(world.context);
    }
    const found = await readValidHistory(url('/paid'), 1);
    expect(found.probes).toHaveLength(48);
    expect(found.daily).toHaveLength(2);
    expect(found.daily.reduce((total, { probes }) => total + probes, 0)).toBe(48);
  });

  it('contains only daily figures when these are requested', async () => {
    await list(item(url('/paid')));
    world.time += 30 * DAY_MS;
    await insertObservations(30 * MINUTE, 1_400);
    const query = { resource: url('/paid'), days: 30, now: world.time, resolution: 'daily' } as const;
    const daily = historySchema.parse(await readHistory(world.context.db, query));
    expect(daily).toMatchObject({ probes: [], probesResolution: 'daily' });
    expect(JSON.stringify(daily).length).toBeLessThan(15_000);
  });

  it('shows which directory changed its texts', async () => {
    await list(item(url('/paid'), { serviceName: 'Skies' }));
    world.time += HOUR;
    await list(item(url('/paid'), { serviceName: 'Clouds' }));
    const found = await readValidHistory(url('/paid'), 1);
    const names = { before: { serviceName: 'Skies' }, after: { serviceName: 'Clouds' } };
    expect(found.snapshots.at(-1)).toMatchObject({ event: 'metadata_change', ...names });
  });

  it('starts at the requested day', async () => {
    await list(item(url('/paid')));
    world.time += 3 * DAY_MS;
    await insertObservations(HOUR, 72);
    const found = await readValidHistory(url('/paid'), 1);
    expect(found.probes).toHaveLength(24);
    expect(found.snapshots).toEqual([]);
    expect((await readValidHistory(url('/paid'), 4)).snapshots).toHaveLength(1);
  });

  it('marks our own failures and does not count them as misses', async () => {
    await list(item(url('/paid')));
    world.time += DAY_MS;
    await insertObservations(HOUR, 2);
    const { db } = world.context;
    await db
      .from('observations')
      .update({ outcome: 'timeout', vitality: 0, excluded: true, http_status: null })
      .eq('endpoint_id', toEndpointId(url('/paid')))
      .eq('at', new Date(world.time).toISOString());
    expect((await readValidHistory(url('/paid'))).probes.at(-1)?.outcome).toBe('self-failure');
  });

  it('contains up to 5,000 single probes, and hourly figures above that', async () => {
    await list(item(url('/paid')));
    world.time += 20 * DAY_MS;
    await insertObservations(5 * MINUTE, 5_001);
    const all = await readValidHistory(url('/paid'), 40);
    expect(all.probesResolution).toBe('hourly');
    const hourly = all.probes.filter((point) => point.probes !== undefined);
    expect(hourly).toHaveLength(1);
    expect(all.probes.length - 1 + (hourly[0]?.probes ?? 0)).toBe(5_001);
    const { db } = world.context;
    const oldest = hourly[0]?.at ?? '';
    const until = new Date(Date.parse(oldest) + HOUR).toISOString();
    const { data } = await db
      .from('observations')
      .select('at')
      .eq('endpoint_id', toEndpointId(url('/paid')))
      .gte('at', oldest)
      .lt('at', until)
      .order('at')
      .limit(1);
    await db
      .from('observations')
      .delete()
      .eq('at', data?.[0]?.at ?? '');
    const whole = await readValidHistory(url('/paid'), 40);
    expect([whole.probesResolution, whole.probes.length]).toEqual(['raw', 5_000]);
  }, 60_000);

  it('contains every probe of 90 days, as a single probe or in an hourly figure', async () => {
    await list(item(url('/paid')));
    world.time += 91 * DAY_MS;
    const count = 90 * 288;
    const seen = await insertObservations(5 * MINUTE, count);
    const started = performance.now();
    const found = await readValidHistory(url('/paid'), 90);
    const tookMs = Math.round(performance.now() - started);
    const hours = found.probes.filter((point) => point.probes !== undefined);
    const raw = found.probes.filter((point) => point.probes === undefined);
    expect(raw.length).toBeLessThanOrEqual(5_000);
    expect(raw.length).toBeGreaterThan(4_980);
    expect(found.probes.length).toBeLessThan(7_000);
    const [firstRaw] = raw;
    // The probes begin with figures of complete hours and continue with single probes, without duplicates or gaps.
    expect(Date.parse(firstRaw?.at ?? '') % HOUR).toBeLessThan(5 * MINUTE);
    expect(hours.reduce((sum, { probes = 0 }) => sum + probes, raw.length)).toBe(count);
    const upRaw = raw.filter(({ outcome }) => outcome === 'challenged').length;
    expect(hours.reduce((sum, { up = 0 }) => sum + up, upRaw)).toBe(seen.filter(({ up }) => up).length);
    expect(hours[0]).toMatchObject({ outcome: 'challenged', httpStatus: 402, amountUsd: '0.010000' });
    for (const { probes = 0, up = 0 } of hours) expect(up).toBeLessThanOrEqual(probes);
    expect(tookMs).toBeLessThan(60_000);
  }, 120_000);
});

describe('the schema', () => {
  it('states the maximum error of the percentiles', () => {
    const { latencyMsP50, latencyMsP95 } = historySchema.shape.daily.element.shape;
    const text = `at most ${String(MAX_PERCENTILE_ERROR_PERCENT)} % too low or too high`;
    expect(latencyMsP50.description).toContain(text);
    expect(latencyMsP95.description).toContain(text);
  });
});

describe('no history', () => {
  it('exists for an unknown endpoint or an invalid URL', async () => {
    for (const resource of [url('/unknown'), 'no URL', 'https://127.0.0.1/']) {
      expect(await readHistory(world.context.db, { resource, days: 30, now: world.time })).toBeNull();
    }
  });

  it('exists for an endpoint removed at the request of its operator', async () => {
    await list(item(url('/paid')));
    const removed_at = new Date(world.time).toISOString();
    await world.context.db
      .from('endpoints')
      .update({ removed_at })
      .eq('id', toEndpointId(url('/paid')));
    expect(
      await readHistory(world.context.db, { resource: url('/paid'), days: 1, now: world.time }),
    ).toBeNull();
  });
});
