import { beforeEach, describe, expect, it } from 'vitest';
import { historySchema, type History } from '@touchstone/contract';
import { createPartitions } from '@touchstone/store';
import { DAY_MS } from '@touchstone/common';
import { MAX_PERCENTILE_ERROR_PERCENT } from '@touchstone/trust';
import { discover } from '../discovery/discover.ts';
import { readHistory } from './history.ts';
import { scoreChanged } from '../scoring/score-changed.ts';
import { claimAndProbe } from '../probing/probe-due.ts';
import { toEndpointId } from '../testing/reports.ts';
import { challenge, useWorld, item } from '../testing/world.ts';

const world = useWorld();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

beforeEach(() => {
  world.handlers.set('/paid', challenge);
});

const url = (path: string): string => world.toUrl(path);

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
 * Inserts past observations into the database without sending probes. There is one observation every `everyMs`
 * milliseconds, and the last observation is now.
 */
async function insertObservations(
  everyMs: number,
  count: number,
): Promise<readonly { at: number; up: boolean }[]> {
  const { db } = world.context;
  const first = world.time - (count - 1) * everyMs;
  await createPartitions(db, { from: first, to: world.time });
  const seen = Array.from({ length: count }, (_, i) => ({ at: first + i * everyMs, up: i % 7 !== 0 }));
  for (let start = 0; start < count; start += 2_000) {
    const rows = seen.slice(start, start + 2_000).map(({ at, up }, i) => ({
      endpoint_id: toEndpointId(url('/paid')),
      at: new Date(at).toISOString(),
      outcome: up ? 'challenged' : 'server-error',
      vitality: up ? 1 : 0,
      http_status: up ? 402 : 500,
      response_ms: 150 + ((start + i) % 12),
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

    const requested = `HTTP://${world.host.toUpperCase()}:80/paid`;
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

  it('contains every probe: 5,000 single probes, and hourly figures of the probes before them', async () => {
    await list(item(url('/paid')));
    world.time += 21 * DAY_MS;
    const count = 20 * 288;
    const seen = await insertObservations(5 * MINUTE, count);
    const found = await readValidHistory(url('/paid'), 40);
    expect(found.probesResolution).toBe('hourly');
    const hours = found.probes.filter((point) => point.probes !== undefined);
    const raw = found.probes.filter((point) => point.probes === undefined);
    expect(raw.length).toBeLessThanOrEqual(5_000);
    expect(raw.length).toBeGreaterThan(4_980);
    // The probes begin with figures of complete hours and continue with single probes, without duplicates or gaps.
    expect(Date.parse(raw[0]?.at ?? '') % HOUR).toBeLessThan(5 * MINUTE);
    expect(hours.reduce((sum, { probes = 0 }) => sum + probes, raw.length)).toBe(count);
    const upRaw = raw.filter(({ outcome }) => outcome === 'challenged').length;
    expect(hours.reduce((sum, { up = 0 }) => sum + up, upRaw)).toBe(seen.filter(({ up }) => up).length);
    expect(hours[0]).toMatchObject({ outcome: 'challenged', httpStatus: 402, amountUsd: '0.010000' });
    for (const { probes = 0, up = 0 } of hours) expect(up).toBeLessThanOrEqual(probes);

    const first = new Date(seen.at(-5_000)?.at ?? 0).toISOString();
    await world.context.db.from('observations').delete().lt('at', first).throwOnError();
    const whole = await readValidHistory(url('/paid'), 40);
    expect([whole.probesResolution, whole.probes.length]).toEqual(['raw', 5_000]);
  });
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
