import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import { finishDiscovery, recordListings, startDiscovery } from './discovery.ts';
import { saveSnapshots } from '../scoring/scoring.ts';
import { T0, makeEndpoint, useTestDatabase, makePage, makeSnapshotRow } from '../testing/fixtures.ts';

const database = useTestDatabase();

describe('discovery', () => {
  const one = makeEndpoint('aaaaaaaaaa');
  const two = makeEndpoint('bbbbbbbbbb');

  it('adds listed endpoints to the catalog once', async () => {
    expect(await database.discover('d1', T0, [one, two])).toMatchObject({ listed: 2, relisted: 0 });
    expect(await database.discover('d1', T0 + HOUR_MS, [one, two])).toMatchObject({
      listed: 0,
      relisted: 0,
      delisted: 0,
    });
    expect(await database.readChangeKinds(one.id)).toEqual(['listed']);
  });

  it('returns the directories of an endpoint, and queues it for scoring when another directory lists it', async () => {
    const shared = makeEndpoint('ssssssssss');
    const readSharedInput = () => database.readInput(shared.id, T0 + 5 * HOUR_MS);
    const waits = async (): Promise<boolean> => {
      const { data } = await database.db.from('scoring_queue').select().eq('endpoint_id', shared.id);
      return (data ?? []).length > 0;
    };
    const score = async (): Promise<void> => {
      const revision = (await readSharedInput())?.revision ?? -1;
      await saveSnapshots(database.db, T0 + HOUR_MS, [makeSnapshotRow(shared.id, 50, { revision })]);
    };
    await database.discover('north', T0, [shared]);
    await score();
    await database.discover('north', T0 + HOUR_MS, [shared]);
    expect(await waits()).toBe(false);
    await database.discover('south', T0 + 2 * HOUR_MS, [shared]);
    expect(await waits()).toBe(true);
    expect((await readSharedInput())?.endpoint.directories).toEqual(['north', 'south']);
    await score();
    for (const hours of [3, 4]) await database.discover('north', T0 + hours * HOUR_MS, []);
    expect((await readSharedInput())?.endpoint).toMatchObject({
      directories: ['south'],
      listingStatus: 'listed',
    });
  });

  it('delists an endpoint after two complete runs without it, and relists it when it returns', async () => {
    expect((await database.discover('d1', T0 + 2 * HOUR_MS, [one])).delisted).toBe(0);
    expect((await database.discoverPartly('d1', T0 + 3 * HOUR_MS, [one])).delisted).toBe(0);
    expect((await database.discover('d1', T0 + 4 * HOUR_MS, [one])).delisted).toBe(1);
    const { data } = await database.db.from('changes').select('at').eq('kind', 'delisted').single();
    // The first of the two runs is the time of the change.
    const delistedAt = T0 + 2 * HOUR_MS;
    expect(Date.parse(data?.at ?? '')).toBe(delistedAt);
    expect((await database.readInput(two.id, T0 + 4 * HOUR_MS))?.endpoint).toMatchObject({ delistedAt });
    expect(await database.discover('d1', T0 + 5 * HOUR_MS, [one, two])).toMatchObject({
      listed: 0,
      relisted: 1,
    });
    expect(await database.readChangeKinds(two.id)).toEqual(['listed', 'delisted', 'relisted']);
  });

  it('treats a run with less than 70 % of the previous listings as shrunken', async () => {
    const many = Array.from({ length: 10 }, (_, i) => `ooooooooo${'abcdefghij'.charAt(i)}`);
    await database.discover('tenths', T0, many);
    expect(await database.discover('tenths', T0 + HOUR_MS, many.slice(0, 6))).toMatchObject({
      complete: false,
      delisted: 0,
      note: expect.stringContaining('shrank') as unknown,
    });
    expect(await database.discover('tenths', T0 + 2 * HOUR_MS, many.slice(0, 7))).toMatchObject({
      complete: true,
    });
  });

  it('delists nothing when a directory shrinks in small steps', async () => {
    const many = Array.from({ length: 10 }, (_, i) => `ppppppppp${'abcdefghij'.charAt(i)}`);
    let delisted = 0;
    for (const [hours, left] of [10, 8, 7, 6, 5, 4, 3, 2, 1, 1].entries()) {
      delisted += (await database.discover('steps', T0 + hours * HOUR_MS, many.slice(0, left))).delisted;
    }
    expect(delisted).toBe(2);
  });

  it('delists endpoints after a directory has been small for a week', async () => {
    const many = Array.from({ length: 6 }, (_, i) => `mmmmmmmmm${'abcdef'.charAt(i)}`);
    const small = (at: number) => database.discover('small', at, many.slice(0, 2));
    await database.discover('small', T0, many);
    const shrunken = { complete: false, delisted: 0 };
    expect(await small(T0 + HOUR_MS)).toMatchObject(shrunken);
    // The directory must also have had at least 24 runs during the week.
    await database.connection.driver.exec(`
      insert into public.discovery_runs (directory, started_at, progressed_at, finished_at, shrunken)
      select directory, started_at, progressed_at, finished_at, true
      from public.discovery_runs, generate_series(1, 22) where directory = 'small' and shrunken`);
    expect(await small(T0 + HOUR_MS + 7 * DAY_MS)).toMatchObject(shrunken);
    expect(await small(T0 + HOUR_MS + 7 * DAY_MS)).toMatchObject({ complete: true, delisted: 0 });
    expect(await small(T0 + 2 * HOUR_MS + 7 * DAY_MS)).toMatchObject({ delisted: 4 });
    const gone = await database.readInput('mmmmmmmmmf', T0 + 8 * DAY_MS);
    expect(gone?.endpoint).toMatchObject({ delistedAt: T0 + HOUR_MS });
  });

  it('ignores the listings of a directory without any run for a week', async () => {
    const both = makeEndpoint('nnnnnnnnnn');
    await database.discover('old', T0, [both]);
    await database.discover('new', T0, [both, 'nnnnnnnnna']);
    for (const hour of [200, 201]) await database.discover('new', T0 + hour * HOUR_MS, ['nnnnnnnnna']);
    expect(await database.readChangeKinds(both.id)).toEqual(['listed', 'delisted']);
  });

  it('keeps the listings of a directory that cannot be reached', async () => {
    const both = makeEndpoint('qqqqqqqqqq');
    await database.discover('away', T0, [both]);
    await database.discover('here', T0, [both, 'qqqqqqqqqa']);
    await startDiscovery(database.db, 'away', T0 + 190 * HOUR_MS);
    for (const hour of [200, 201]) await database.discover('here', T0 + hour * HOUR_MS, ['qqqqqqqqqa']);
    expect(await database.readChangeKinds(both.id)).toEqual(['listed']);
  });

  it('keeps an endpoint listed while another directory lists it', async () => {
    const shared = makeEndpoint('dddddddddd');
    await database.discover('d3', T0, [shared, 'dddddddddc']);
    await database.discover('d4', T0, [shared]);
    for (const hours of [1, 2, 3]) await database.discover('d3', T0 + hours * HOUR_MS, ['dddddddddc']);
    expect((await database.readInput(shared.id, T0 + 3 * HOUR_MS))?.endpoint.listingStatus).toBe('listed');
  });

  it('does not mix two URLs with the same id', async () => {
    await database.discover('d5', T0, ['eeeeeeeeee']);
    await database.discover('d5', T0 + HOUR_MS, [
      makeEndpoint('eeeeeeeeee', { resource: 'https://other.example/' }),
    ]);
    expect((await database.readInput('eeeeeeeeee', T0 + HOUR_MS))?.endpoint.resource).toBe(
      'https://eeeeeeeeee.example.com/',
    );
  });
});

describe('an interrupted discovery run', () => {
  const page = (letters: string, offset = 0) =>
    makePage(
      [...letters].map((letter) => `rrrrrrrrr${letter}`),
      offset,
    );

  it('resumes at the interrupted page and counts as one run', async () => {
    const { db } = database;
    const { id, position } = await startDiscovery(db, 'long', T0);
    expect(position).toBeNull();
    await recordListings(db, { id, at: T0 }, page('abc'));
    const paused = await finishDiscovery(db, { id, at: T0 }, { end: 'paused', note: 'answered 503' });
    expect(paused).toMatchObject({ finishedAt: null, complete: false, note: 'answered 503' });

    const again = await startDiscovery(db, 'long', T0 + HOUR_MS);
    expect(again).toMatchObject({
      id,
      startedAt: T0,
      position: { offset: 3, pageSize: 3, pages: 1, items: 3 },
    });
    await recordListings(db, { id, at: T0 + HOUR_MS }, page('cd', 3));
    expect(
      await finishDiscovery(db, { id, at: T0 + HOUR_MS }, { end: 'complete', note: null }),
    ).toMatchObject({
      complete: true,
      items: 5,
      accepted: 4,
      duplicates: 1,
      listed: 4,
      note: null,
    });
  });

  it('counts a page once although it is recorded twice, and finishes once', async () => {
    const { db } = database;
    const { id } = await startDiscovery(db, 'twice', T0);
    for (const listedAnew of [3, 0]) {
      const recorded = await recordListings(db, { id, at: T0 }, page('xyz'));
      expect(recorded.listed).toBe(listedAnew);
    }
    for (let run = 0; run < 3; run += 1) {
      expect(await finishDiscovery(db, { id, at: T0 }, { end: 'complete', note: null })).toMatchObject({
        items: 3,
        accepted: 3,
        duplicates: 0,
        listed: 3,
      });
    }
    for (const hours of [1, 2]) {
      const next = await startDiscovery(db, 'twice', T0 + hours * HOUR_MS);
      await recordListings(db, { id: next.id, at: T0 + hours * HOUR_MS }, page('xyw'));
      const end = { end: 'complete', note: null } as const;
      const ended = await finishDiscovery(db, { id: next.id, at: T0 + hours * HOUR_MS }, end);
      // The run is finished a second time, because a queue can deliver a message twice. The repetition must not count
      // as another run in which endpoints were missing.
      expect(await finishDiscovery(db, { id: next.id, at: T0 + hours * HOUR_MS }, end)).toEqual(ended);
      expect(ended.delisted).toBe(hours - 1);
    }
  });

  it('starts a new run after too long an interruption', async () => {
    const { db } = database;
    const { id } = await startDiscovery(db, 'late', T0);
    await recordListings(db, { id, at: T0 }, page('lmn'));
    const restarted = await startDiscovery(db, 'late', T0 + 6 * HOUR_MS);
    expect(restarted.id).not.toBe(id);
    expect(restarted.position).toBeNull();
  });

  it('stays open until the time that the directory requested', async () => {
    const { db } = database;
    const { id } = await startDiscovery(db, 'throttled', T0);
    await recordListings(db, { id, at: T0 }, page('stu'));
    const resumeAt = T0 + 8 * HOUR_MS;
    await finishDiscovery(db, { id, at: T0 }, { end: 'paused', note: 'answered 429', resumeAt });
    expect(await startDiscovery(db, 'throttled', T0 + 7 * HOUR_MS)).toMatchObject({ id, resumeAt });
    expect(await startDiscovery(db, 'throttled', T0 + 9 * HOUR_MS)).toMatchObject({
      id,
      position: { offset: 3 },
    });
  });

  it('delists nothing on pages that it has not read yet', async () => {
    const { db } = database;
    await database.discover('half', T0, ['vvvvvvvvva', 'vvvvvvvvvb']);
    for (const hours of [1, 2, 3, 4]) {
      const at = T0 + hours * HOUR_MS;
      const { id } = await startDiscovery(db, 'half', at);
      await recordListings(db, { id, at }, makePage(['vvvvvvvvva']));
      await finishDiscovery(db, { id, at }, { end: 'paused', note: 'answered 503' });
    }
    expect(await database.readChangeKinds('vvvvvvvvvb')).toEqual(['listed']);
  });
});
