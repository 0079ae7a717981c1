import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimDueEndpoints, maintainPartitions, releaseLeases, type PaymentTerms } from '../index.ts';
import {
  T0,
  makeEndpoint,
  makeObservation,
  makeTerms,
  openTestDatabase,
  type TestDatabase,
} from '../testing/fixtures.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('claiming', () => {
  const claim = (owner: string, now: number, leaseSeconds = 60) =>
    claimDueEndpoints(database.db, { owner, now, limit: 500, leaseSeconds, hostSuffix: null });

  it('gives a slot to one worker, and to another one after its lease expires', async () => {
    await database.discover('claims', T0, [
      makeEndpoint('ffffffffff'),
      makeEndpoint('fffffffffa', { scheduled: false }),
    ]);
    const mine = (slots: readonly { endpointId: string }[]) =>
      slots.filter((slot) => slot.endpointId.startsWith('fff'));
    const now = T0 + 10 * MINUTE_MS;
    const first = mine(await claim('one', now));
    expect(first).toMatchObject([{ endpointId: 'ffffffffff', slotAt: T0 + 10 * MINUTE_MS }]);
    expect(mine(await claim('two', now + 30_000))).toEqual([]);
    const retaken = mine(await claim('two', now + 61_000));
    expect(retaken).toMatchObject([{ slotAt: T0 + 10 * MINUTE_MS }]);

    const late = await database.record(
      [makeObservation('ffffffffff', now, { slotAt: now })],
      now + 62_000,
      'one',
    );
    expect(late).toMatchObject({ recorded: 0, dropped: 1 });
    const rightful = await database.record(
      [makeObservation('ffffffffff', now + 1000, { slotAt: now })],
      now + 62_000,
      'two',
    );
    expect(rightful).toMatchObject({ recorded: 1, dropped: 0 });
  });

  it('makes the slots of a stopped worker due again', async () => {
    await database.discover('back', T0, [makeEndpoint('oooooooooo')]);
    const mine = (slots: readonly { endpointId: string }[]) =>
      slots.filter((slot) => slot.endpointId === 'oooooooooo');
    expect(mine(await claim('dead', T0 + 10 * MINUTE_MS, 3600))).toHaveLength(1);
    expect(mine(await claim('other', T0 + 11 * MINUTE_MS))).toEqual([]);
    await releaseLeases(database.db, 'dead');
    expect(mine(await claim('other', T0 + 12 * MINUTE_MS))).toMatchObject([{ slotAt: T0 + 10 * MINUTE_MS }]);
  });

  it('returns one slot per endpoint, however many have expired', async () => {
    await database.discover('lost', T0, [makeEndpoint('pppppppppp')]);
    const mine = (slots: readonly { endpointId: string }[]) =>
      slots.filter((slot) => slot.endpointId === 'pppppppppp');
    expect(mine(await claim('one', T0 + 10 * MINUTE_MS, 7200))).toHaveLength(1);
    expect(mine(await claim('two', T0 + 40 * MINUTE_MS, 5400))).toHaveLength(1);
    const late = T0 + 131 * MINUTE_MS;
    expect(mine(await claim('three', late))).toMatchObject([{ slotAt: T0 + 40 * MINUTE_MS }]);
    expect(mine(await claim('four', late + 1000))).toMatchObject([{ slotAt: T0 + 130 * MINUTE_MS }]);
  });

  it('skips removed endpoints, templates without examples and hosts out of reach', async () => {
    const ids = ['qqqqqqqqqa', 'qqqqqqqqqb', 'qqqqqqqqqc', 'qqqqqqqqqd'] as const;
    const [removed, template, far, near] = ids;
    await database.discover('reach', T0, [
      makeEndpoint(removed),
      makeEndpoint(template, { probeUrl: null }),
      makeEndpoint(far, { host: 'far.example.org' }),
      makeEndpoint(near),
    ]);
    await database.db
      .from('endpoints')
      .update({ removed_at: new Date(T0).toISOString() })
      .eq('id', removed);
    const slots = await claimDueEndpoints(database.db, {
      owner: 'near',
      now: T0 + 10 * MINUTE_MS,
      limit: 500,
      leaseSeconds: 60,
      hostSuffix: '.example.com',
    });
    const claimed = slots.map((slot) => slot.endpointId);
    expect(ids.filter((id) => claimed.includes(id))).toEqual([near]);
  });

  it('does not make up for slots that no worker claimed', async () => {
    await database.discover('gaps', T0, [makeEndpoint('gggggggggg')]);
    const slots = (await claim('one', T0 + 5 * HOUR_MS)).filter((slot) => slot.endpointId === 'gggggggggg');
    expect(slots.map((slot) => slot.slotAt)).toEqual([T0 + 4 * HOUR_MS + 40 * MINUTE_MS]);
    expect(await releaseLeases(database.db, 'one')).toBeGreaterThan(0);
    expect(await releaseLeases(database.db, 'one')).toBe(0);
  });
});

describe('recording', () => {
  it('adds up days, latencies and compliance, and counts each observation once', async () => {
    const id = 'hhhhhhhhhh';
    await database.discover('rec', T0, [makeEndpoint(id)]);
    const rows = [
      makeObservation(id, T0 + HOUR_MS),
      makeObservation(id, T0 + 2 * HOUR_MS, { bucket: 40, latencyMs: 330, compliance: 'errors' }),
      makeObservation(id, T0 + 3 * HOUR_MS, {
        vitality: 'down',
        outcome: 'timeout',
        bucket: null,
        latencyMs: null,
        compliance: null,
      }),
      makeObservation(id, T0 + 25 * HOUR_MS, {
        vitality: 'neither',
        outcome: 'blocked',
        bucket: null,
        compliance: null,
      }),
    ];
    expect(await database.record(rows, T0 + 26 * HOUR_MS)).toMatchObject({ recorded: 4 });
    expect(await database.record(rows, T0 + 26 * HOUR_MS)).toMatchObject({ recorded: 0, dropped: 4 });
    await database.record([makeObservation(id, T0 + 26 * HOUR_MS)], T0 + 26 * HOUR_MS);
    const input = await database.readInput(id, T0 + 27 * HOUR_MS);
    expect(input?.sums).toMatchObject({
      probes: 5,
      scored: 4,
      up: 3,
      blocked: 1,
      pass: 2,
      errors: 1,
      latencyN: 3,
    });
    expect(input?.sums?.latencyHistogram?.[33]).toBe(2);
    expect(input?.sums?.latencyHistogram?.[40]).toBe(1);
    expect(input?.sums?.latencyHistogram).toHaveLength(64);
  });

  it('drops observations from the future, so that others until then are not late', async () => {
    const id = 'futureaaaa';
    await database.discover('future', T0, [makeEndpoint(id)]);
    const years = makeObservation(id, T0 + 10 * 365 * 24 * HOUR_MS);
    expect(await database.record([years, makeObservation(id, T0 + HOUR_MS)], T0 + HOUR_MS)).toMatchObject({
      recorded: 1,
      dropped: 1,
    });
    const down = { vitality: 'down', outcome: 'timeout', compliance: null, bucket: null } as const;
    await database.record([makeObservation(id, T0 + 1.5 * HOUR_MS, down)], T0 + 1.5 * HOUR_MS);
    expect((await database.readInput(id, T0 + 2 * HOUR_MS))?.state.downSince).toBe(T0 + 1.5 * HOUR_MS);
  });

  it('keeps the start of an outage until the endpoint is up again', async () => {
    const id = 'iiiiiiiiii';
    const down = { vitality: 'down', outcome: 'server-error', compliance: null, bucket: null } as const;
    await database.discover('down', T0, [makeEndpoint(id)]);
    await database.record(
      [
        makeObservation(id, T0),
        makeObservation(id, T0 + HOUR_MS, down),
        makeObservation(id, T0 + 2 * HOUR_MS, down),
      ],
      T0 + 2 * HOUR_MS,
    );
    expect((await database.readInput(id, T0 + 2 * HOUR_MS))?.state.downSince).toBe(T0 + HOUR_MS);
    await database.record([makeObservation(id, T0 + 3 * HOUR_MS, down)], T0 + 3 * HOUR_MS);
    await database.record(
      [makeObservation(id, T0 + 4 * HOUR_MS, { vitality: 'neither', outcome: 'blocked' })],
      T0 + 4 * HOUR_MS,
    );
    expect((await database.readInput(id, T0 + 4 * HOUR_MS))?.state.downSince).toBe(T0 + HOUR_MS);
    await database.record([makeObservation(id, T0 + 5 * HOUR_MS)], T0 + 5 * HOUR_MS);
    expect((await database.readInput(id, T0 + 5 * HOUR_MS))?.state.downSince).toBeNull();
  });

  it('distinguishes price, wallet and network changes', async () => {
    const id = 'jjjjjjjjjj';
    await database.discover('terms', T0, [makeEndpoint(id)]);
    const observeTerms = (hours: number, next: PaymentTerms) =>
      makeObservation(id, T0 + hours * HOUR_MS, { terms: next });
    await database.record(
      [observeTerms(0, makeTerms('1000', '0xa')), observeTerms(1, makeTerms('1000', '0xa'))],
      T0 + HOUR_MS,
    );
    await database.record(
      [observeTerms(2, makeTerms('2000', '0xa')), observeTerms(3, makeTerms('2000', '0xb'))],
      T0 + 3 * HOUR_MS,
    );
    await database.record([observeTerms(4, makeTerms('2000', '0xb', 'eip155:137'))], T0 + 4 * HOUR_MS);
    expect(await database.readChangeKinds(id)).toEqual([
      'listed',
      'price_change',
      'payto_change',
      'asset_network_change',
    ]);
    const input = await database.readInput(id, T0 + 4 * HOUR_MS);
    expect(input?.changes.map((change) => [change.kind, change.at])).toEqual([
      ['price_change', T0 + 2 * HOUR_MS],
      ['payto_change', T0 + 3 * HOUR_MS],
      ['asset_network_change', T0 + 4 * HOUR_MS],
    ]);
  });

  it('treats a second token with its own wallet as a new payment option, not as a wallet change', async () => {
    const id = 'rrrrrrrrrr';
    await database.discover('ways', T0, [makeEndpoint(id)]);
    const one = makeTerms('1000', '0xa');
    const two = {
      ...one,
      prices: { ...one.prices, 'eip155:8453|0xother': '5' },
      payTo: { ...one.payTo, 'eip155:8453|0xother': ['0xb'] },
    };
    await database.record(
      [makeObservation(id, T0, { terms: one }), makeObservation(id, T0 + HOUR_MS, { terms: two })],
      T0 + HOUR_MS,
    );
    expect(await database.readChangeKinds(id)).toEqual(['listed', 'asset_network_change']);
  });

  it('stores a price of any size', async () => {
    const id = 'ssssssssss';
    await database.discover('dear', T0, [makeEndpoint(id)]);
    const amountUsd = `${'9'.repeat(60)}.000001`;
    expect(await database.record([makeObservation(id, T0, { amountUsd })], T0)).toMatchObject({
      recorded: 1,
    });
    expect((await database.readInput(id, T0))?.sums?.medianPriceUsd).toBe(amountUsd);
  });

  it('drops daily partitions older than the retention', async () => {
    const dropped = await maintainPartitions(database.db, {
      from: T0,
      to: T0 + 24 * HOUR_MS,
      keepFrom: T0 + 24 * HOUR_MS,
    });
    expect(dropped.dropped).toBeGreaterThan(0);
    const { count } = await database.db
      .from('observations')
      .select('*', { count: 'exact', head: true })
      .lt('at', '2026-11-02T00:00:00Z');
    expect(count).toBe(0);
  });
});
