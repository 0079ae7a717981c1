import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { ECOSYSTEM_EVENT_KINDS, type EcosystemEventKind } from '@touchstone/contract';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pruneRows, saveSnapshots, type SnapshotRow } from '../index.ts';
import { T0, makeSnapshotRow, useTestDatabase, toIso } from '../testing/fixtures.ts';

const HOST = 'api.example.com';
const IDS = Array.from({ length: 6 }, (_, index) => `eventsaaa${String.fromCodePoint(97 + index)}`);
const [ONE = '', TWO = '', THREE = '', FOUR = ''] = IDS;

const database = useTestDatabase();
beforeAll(async () => {
  await database.discover('events', T0, IDS);
});
beforeEach(async () => {
  await database.db.from('snapshots').delete().neq('endpoint_id', '');
  await database.db.from('ecosystem_events').delete().neq('host', '');
});

interface Score {
  readonly id: string;
  readonly alerts: readonly EcosystemEventKind[];
  /** Start of the alerts; null if unknown. */
  readonly since?: string | null;
  /** Time of the change that caused the alerts; null if unknown. */
  readonly changedAt?: string | null;
  readonly host?: string;
  readonly isPublic?: boolean;
  readonly scoringVersion?: string;
  readonly verdict?: Pick<SnapshotRow['snapshot'], 'grade' | 'recommendation'>;
}

function toRow(score: Score): SnapshotRow {
  const {
    id,
    alerts,
    since = null,
    changedAt = null,
    host = HOST,
    isPublic = true,
    scoringVersion = '1.0.0',
    verdict,
  } = score;
  const facts = { alerts: alerts.map((kind) => ({ kind, since, changedAt })) };
  const detail = { scoringVersion, inputs: {}, facts };
  return makeSnapshotRow(id, 50, { public: isPublic, snapshot: { host, ...verdict }, detail });
}

const saveScores = (at: number, ...scores: readonly Score[]) =>
  saveSnapshots(database.db, at, scores.map(toRow));
const readEvents = async (subject: { readonly endpointId?: string; readonly host?: string } = {}) =>
  (await database.openStore().readEcosystemEvents({ kinds: [], before: null, limit: 100, ...subject }))
    .events;
const readAll = () => readEvents();

describe('an ecosystem event', () => {
  it('is recorded when an alert appears that the previous score did not have', async () => {
    await saveScores(T0, { id: ONE, alerts: [] });
    await saveScores(T0 + HOUR_MS, { id: ONE, alerts: ['outage'] });
    const at = toIso(T0 + HOUR_MS);
    expect(await readAll()).toEqual([
      {
        id: expect.stringMatching(/^\d+$/) as string,
        at,
        updatedAt: at,
        kind: 'outage',
        host: HOST,
        slug: `k-${ONE}`,
        resource: `https://${ONE}.example.com/`,
        grade: 'A',
        ...{ recommendation: 'proceed', listingStatus: 'listed', failingSince: null },
        endpoints: 1,
      },
    ]);
    await saveScores(T0 + 2 * HOUR_MS, { id: ONE, alerts: ['outage', 'delisted'] });
    expect((await readAll()).map(({ kind }) => kind)).toEqual(['delisted', 'outage']);
  });

  it('has the current verdict of its endpoint', async () => {
    await saveScores(T0, { id: ONE, alerts: [] });
    await saveScores(T0 + HOUR_MS, { id: ONE, alerts: ['outage'] });
    const verdict = { grade: 'D', recommendation: 'avoid' } as const;
    await saveScores(T0 + 2 * HOUR_MS, { id: ONE, alerts: ['outage'], verdict });
    expect(await readAll()).toMatchObject([{ at: toIso(T0 + HOUR_MS), ...verdict }]);
  });

  it('is not recorded for a state that already existed', async () => {
    await saveScores(T0, { id: ONE, alerts: ['outage'] });
    await saveScores(T0 + HOUR_MS, { id: ONE, alerts: ['outage'] });
    expect(await readAll()).toEqual([]);
  });

  it('is recorded again when its alert applies since another time', async () => {
    const takeover: Score = { id: ONE, alerts: ['takeover-suspected'] };
    const [monday, wednesday] = [toIso(T0 + HOUR_MS), toIso(T0 + 2 * DAY_MS)];
    await saveScores(T0, { id: ONE, alerts: [] });
    await saveScores(T0 + HOUR_MS, { ...takeover, since: monday });
    await saveScores(T0 + DAY_MS, { ...takeover, since: monday });
    await saveScores(T0 + 2 * DAY_MS, { ...takeover, since: wednesday });
    expect((await readAll()).map(({ at }) => at)).toEqual([wednesday, monday]);
  });

  it('has the time and the day of the change, and is updated by each score that adds an endpoint', async () => {
    const [first, second] = [toIso(T0 + HOUR_MS), toIso(T0 + 2 * HOUR_MS)];
    await saveScores(T0, { id: ONE, alerts: [] }, { id: TWO, alerts: [] });
    await saveScores(T0 + DAY_MS, { id: TWO, alerts: ['price-spike'], changedAt: second });
    expect(await readAll()).toMatchObject([{ at: second, updatedAt: toIso(T0 + DAY_MS), endpoints: 1 }]);
    await saveScores(T0 + 2 * DAY_MS, { id: ONE, alerts: ['price-spike'], changedAt: first });
    const updatedAt = toIso(T0 + 2 * DAY_MS);
    expect(await readAll()).toMatchObject([{ at: first, updatedAt, endpoints: 2, slug: `k-${TWO}` }]);
    // A later change of an alert without a start is the same event.
    await saveScores(T0 + 3 * DAY_MS, {
      id: ONE,
      alerts: ['price-spike'],
      changedAt: toIso(T0 + 3 * DAY_MS),
    });
    expect(await readAll()).toHaveLength(1);
  });

  it('moves to the start of the list when the number of its endpoints rises', async () => {
    await saveScores(T0, { id: ONE, alerts: [] }, { id: TWO, alerts: [] });
    await saveScores(T0 + HOUR_MS, { id: ONE, alerts: ['outage'] });
    await saveScores(T0 + 2 * HOUR_MS, { id: ONE, alerts: ['outage', 'delisted'] });
    const readKinds = async () => (await readAll()).map(({ kind }) => kind);
    expect(await readKinds()).toEqual(['delisted', 'outage']);
    await saveScores(T0 + 3 * HOUR_MS, { id: TWO, alerts: ['outage'] });
    expect(await readKinds()).toEqual(['outage', 'delisted']);
  });

  it('is not recorded by the first score with another formula', async () => {
    await saveScores(T0, { id: ONE, alerts: [] });
    await saveScores(T0 + HOUR_MS, { id: ONE, alerts: ['price-spike'], scoringVersion: '2.0.0' });
    expect(await readAll()).toEqual([]);
  });

  it('counts each endpoint of a host once per kind and UTC day', async () => {
    const save = (at: number, alerts: readonly EcosystemEventKind[], ...ids: readonly string[]) =>
      saveScores(at, ...ids.map((id) => ({ id, alerts })));
    await save(T0, [], ...IDS);
    await save(T0 + HOUR_MS, ['outage'], TWO, THREE);
    await save(T0 + 2 * HOUR_MS, [], TWO);
    await save(T0 + 3 * HOUR_MS, ['outage'], ONE, TWO);
    const event = { kind: 'outage', host: HOST, endpoints: 3, slug: `k-${TWO}` };
    const times = {
      at: toIso(T0 + HOUR_MS),
      updatedAt: toIso(T0 + 3 * HOUR_MS),
    };
    expect(await readAll()).toMatchObject([{ ...event, ...times }]);

    await save(T0 + 4 * HOUR_MS, [], TWO);
    await save(T0 + 5 * HOUR_MS, ['outage'], TWO);
    expect(await readAll()).toMatchObject([{ ...event, ...times }]);

    await save(T0 + DAY_MS, [], TWO);
    await save(T0 + DAY_MS + HOUR_MS, ['outage'], TWO);
    expect(await readAll()).toMatchObject([{ endpoints: 1 }, { endpoints: 3 }]);
  });

  it('shows another endpoint of the host when the first one was removed, and disappears with the last', async () => {
    const both = [ONE, TWO];
    await saveScores(T0, ...both.map((id) => ({ id, alerts: [] })));
    await saveScores(T0 + HOUR_MS, ...both.map((id) => ({ id, alerts: ['delisted'] as const })));
    expect(await readAll()).toMatchObject([{ slug: `k-${ONE}` }]);
    const remove = (id: string) =>
      saveScores(T0 + 2 * HOUR_MS, { id, alerts: ['delisted'], isPublic: false });
    await remove(ONE);
    expect(await readAll()).toMatchObject([{ slug: `k-${TWO}` }]);
    await remove(TWO);
    expect(await readAll()).toEqual([]);
  });

  it('is not recorded for an endpoint that is not public', async () => {
    await saveScores(T0, { id: ONE, alerts: [] });
    await saveScores(T0 + HOUR_MS, { id: ONE, alerts: ['outage'], isPublic: false });
    await saveScores(T0 + 2 * HOUR_MS, { id: ONE, alerts: ['outage'] });
    expect(await readAll()).toEqual([]);
  });

  it('is pruned by its day', async () => {
    await saveScores(T0, { id: ONE, alerts: [] });
    await saveScores(T0 + HOUR_MS, { id: ONE, alerts: ['delisted'] });
    await saveScores(T0 + DAY_MS, { id: ONE, alerts: ['outage'] });
    const before = { ecosystem_events: T0 + DAY_MS };
    expect(await pruneRows(database.db, before, 10)).toMatchObject({ ecosystem_events: 1 });
    expect(await pruneRows(database.db, before, 10)).toMatchObject({ ecosystem_events: 0 });
    expect((await readAll()).map(({ kind }) => kind)).toEqual(['outage']);
    const { data } = await database.db.from('ecosystem_event_endpoints').select('endpoint_id');
    expect(data).toEqual([{ endpoint_id: ONE }]);
  });
});

it('the events of an endpoint include those of several endpoints, newest first, while it is in the public lists', async () => {
  const read = (endpointId: string) => readEvents({ endpointId });
  await saveScores(T0, { id: ONE, alerts: [] }, { id: TWO, alerts: [] });
  await saveScores(T0 + HOUR_MS, { id: ONE, alerts: ['outage'] });
  await saveScores(T0 + 2 * HOUR_MS, { id: TWO, alerts: ['outage', 'delisted'] });
  expect(await read(TWO)).toMatchObject([
    { kind: 'delisted', at: toIso(T0 + 2 * HOUR_MS) },
    { kind: 'outage', at: toIso(T0 + HOUR_MS), slug: `k-${TWO}`, endpoints: 2 },
  ]);
  // The page of the event is found by its id, also after a later update.
  const [delisted, outage] = await read(TWO);
  await saveScores(T0 + 3 * HOUR_MS, { id: FOUR, alerts: [] });
  await saveScores(T0 + 4 * HOUR_MS, { id: FOUR, alerts: ['outage'] });
  for (const { id = '' } of [delisted ?? {}, outage ?? {}]) {
    const page = { kinds: [], before: id, limit: 1 } as const;
    expect(await database.openStore().readEcosystemEvents(page)).toMatchObject({ events: [{ id }] });
  }
  expect(await read(ONE)).toMatchObject([{ kind: 'outage' }]);
  expect(await read(THREE)).toEqual([]);
  await database.db.from('explore_entries').delete().eq('endpoint_id', TWO);
  expect(await read(TWO)).toEqual([]);
  expect((await database.openStore().countEcosystemEvents({ endpointId: TWO })).outage).toBe(0);
});

describe('a list of ecosystem events', () => {
  it('contains every event of the kinds once, newest first, for any page size', async () => {
    const hosts = Array.from({ length: 5 }, (_, index) => `h${index}.example.com`);
    // Two events of each host have the same time, and each host has its own UTC day.
    for (const [index, host] of hosts.entries()) {
      const at = T0 + index * DAY_MS;
      const id = IDS[index] ?? '';
      await saveScores(at, { id, alerts: [], host });
      await saveScores(at + HOUR_MS, { id, alerts: ['takeover-suspected', 'outage'], host });
      await saveScores(at + 2 * HOUR_MS, { id, alerts: ['outage', 'delisted'], host });
    }
    const all = await readAll();
    expect(all).toHaveLength(15);
    const sorted = [...all].sort(
      (a, b) => b.updatedAt.localeCompare(a.updatedAt) || Number(b.id) - Number(a.id),
    );
    expect(all).toEqual(sorted);

    for (const host of hosts)
      expect(await readEvents({ host })).toEqual(all.filter((event) => event.host === host));
    expect(await readEvents({ host: 'example.com' })).toEqual([]);
    for (const subject of [{}, { host: hosts[0] ?? '' }, { endpointId: ONE }, { host: 'example.com' }]) {
      const kinds = (await readEvents(subject)).map(({ kind }) => kind);
      const counts = ECOSYSTEM_EVENT_KINDS.map((kind) => [kind, kinds.filter((one) => one === kind).length]);
      expect(await database.openStore().countEcosystemEvents(subject)).toEqual(Object.fromEntries(counts));
    }
    const older = { kinds: [], before: all[0]?.id ?? '', limit: 2, host: hosts[0] ?? null };
    expect(await database.openStore().readEcosystemEvents(older)).toMatchObject({
      events: all.slice(-3, -1),
      next: expect.any(String) as string,
    });

    const kindLists = fc.subarray([...ECOSYSTEM_EVENT_KINDS]);
    await fc.assert(
      fc.asyncProperty(kindLists, fc.integer({ min: 1, max: 16 }), async (kinds, limit) => {
        const found = [];
        let before: string | null = null;
        do {
          const page = await database.openStore().readEcosystemEvents({ kinds, before, limit });
          expect(page.events.length).toBeLessThanOrEqual(limit);
          found.push(...page.events);
          before = page.next;
        } while (before !== null);
        expect(found).toEqual(all.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind)));
      }),
      { numRuns: 20 },
    );
  });

  it('reads only the events of its host or its endpoint', async () => {
    const { driver } = database.connection;
    await driver.exec(`
      insert into public.ecosystem_events (kind, host, day, at, updated_at, endpoint_id, endpoints)
      select 'outage', 'h' || h || '.example', '2026-10-01'::date + d, now(), now() - make_interval(days => d), 'e' || h, 1
      from generate_series(1, 200) h, generate_series(1, 20) d;
      insert into public.ecosystem_event_endpoints select id, endpoint_id from public.ecosystem_events;
      analyze public.ecosystem_events, public.ecosystem_event_endpoints`);
    const countRead = async () => {
      const { rows } = await driver.query<{ read: number }>(`
        select (seq_tup_read + idx_tup_fetch)::integer as read
        from pg_stat_xact_user_tables where relname = 'ecosystem_events'`);
      return rows[0]?.read ?? 0;
    };
    for (const subject of [`p_host => 'h7.example'`, `p_endpoint_id => 'e7'`]) {
      await driver.exec('begin');
      const before = await countRead();
      await driver.exec(`select public.ecosystem_events('{}', 101, ${subject})`);
      expect((await countRead()) - before).toBe(20);
      await driver.exec(`select public.ecosystem_event_counts(${subject})`);
      // The number depends on the order in which the query joins its tables.
      expect((await countRead()) - before).toBeLessThan(100);
      await driver.exec('rollback');
    }
  });

  it.each(['', 'x', '1-', '-1', '1-2-3', '1.5-2', `${'9'.repeat(15)}-1`])(
    'refuses the cursor "%s"',
    async (before) => {
      await expect(database.openStore().readEcosystemEvents({ kinds: [], before, limit: 1 })).rejects.toThrow(
        RangeError,
      );
    },
  );
});
