import { HOUR_MS } from '@touchstone/common';
import { beforeEach, describe, expect, it } from 'vitest';
import { readSampleRanks, saveSnapshots, type SnapshotRow } from '../index.ts';
import { T0, makeSnapshotRow, useTestDatabase } from '../testing/fixtures.ts';

const database = useTestDatabase();
beforeEach(async () => {
  await database.db.from('snapshots').delete().neq('endpoint_id', '');
});

const open = () => database.openStore();

type Change = Partial<SnapshotRow['snapshot']>;

/** Stores one snapshot for each entry, in this order. */
async function store(changes: Readonly<Record<string, Change>>): Promise<void> {
  await database.discover('ranking', T0, Object.keys(changes));
  const rows = Object.entries(changes).map(([id, snapshot]) => makeSnapshotRow(id, 50, { snapshot }));
  await saveSnapshots(database.db, T0 + HOUR_MS, rows);
}

describe('the leaderboard', () => {
  it('is ordered by the lower bound of the score range, then by score, then by id', async () => {
    await store({
      rankdddddd: { score: 90, scoreLow: 60, scoreHigh: 97 },
      rankaaaaaa: { score: 80, scoreLow: 75, scoreHigh: 84 },
      rankccccca: { score: 78, scoreLow: 70, scoreHigh: 84 },
      rankbbbbbb: { score: 79, scoreLow: 70, scoreHigh: 84 },
      rankcccccb: { score: 78, scoreLow: 70, scoreHigh: 84 },
    });
    const ranked = await open().readLeaderboard(25);
    expect(ranked.map(({ endpointId }) => endpointId)).toEqual([
      'rankaaaaaa',
      'rankbbbbbb',
      'rankccccca',
      'rankcccccb',
      'rankdddddd',
    ]);
    expect(ranked.at(-1)).toMatchObject({ score: 90, scoreLow: 60, scoreHigh: 97 });
    expect(await open().findBestProbedResource()).toBeNull();
  });

  it('leaves out endpoints that no directory has listed', async () => {
    await store({
      rankaaaaaa: { scoreLow: 90, listingSource: 'adopted', lastProbedAt: new Date(T0).toISOString() },
      rankbbbbbb: { scoreLow: 40, lastProbedAt: new Date(T0).toISOString() },
    });
    expect((await open().readLeaderboard(25)).map(({ endpointId }) => endpointId)).toEqual(['rankbbbbbb']);
    expect(await open().findBestProbedResource()).toBe('https://rankbbbbbb.example.com/');
  });

  it('reads its index in order', async () => {
    const { driver } = database.connection;
    await driver.exec('set enable_seqscan = off');
    const { rows } = await driver.query<{ 'QUERY PLAN': string }>(`
      explain select * from public.snapshots
      where public and listing_status = 'listed' and listing_source = 'directory' and grade <> '?' and error_flags = 0
        and confidence >= 0.5
      order by score_low desc, score desc, endpoint_id limit 25`);
    await driver.exec('reset enable_seqscan');
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('snapshots_ranking');
    expect(plan).not.toContain('Sort');
  });
});

describe('the sample endpoints', () => {
  it('have the order of the leaderboard and leave out adopted endpoints', async () => {
    await store({
      rankaaaaaa: { score: 90, scoreLow: 40 },
      rankbbbbbb: { score: 70, scoreLow: 65 },
      rankcccccc: { score: 60, scoreLow: 55 },
      rankdddddd: { score: 99, scoreLow: 99, listingSource: 'adopted' },
    });
    expect(await readSampleRanks(database.db)).toEqual({
      population: 3,
      isConfident: true,
      samples: [
        { role: 'best', endpointId: 'rankbbbbbb', rank: 1 },
        { role: 'median', endpointId: 'rankcccccc', rank: 2 },
        { role: 'worst', endpointId: 'rankaaaaaa', rank: 3 },
      ],
    });
  });

  it('include endpoints of any confidence when fewer than three are confident', async () => {
    await store({ rankaaaaaa: { confidence: 0.1 }, rankbbbbbb: { confidence: 0.9 } });
    expect(await readSampleRanks(database.db)).toMatchObject({ population: 2, isConfident: false });
  });
});

describe('a snapshot', () => {
  it('has the last failure and the range of the score', async () => {
    const lastFailure = {
      at: '2026-11-01T01:00:00.000Z',
      since: '2026-11-01T00:30:00.000Z',
      phase: 'tls',
      httpStatus: null,
      error: 'tls-certificate-expired',
      detail: 'TLS certificate expired on 2026-10-31.',
      causes30d: {},
    } as const;
    const failing = { lastFailure, failingSince: lastFailure.since, isCompliant: null, scoreLow: 10.5 };
    await store({ rankaaaaaa: failing });
    expect(await open().readSnapshot('rankaaaaaa')).toMatchObject(failing);
  });
});
