import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readScoringInputs, recordObservations, saveSnapshots, type StoredChallenge } from './index.ts';
import {
  HOUR,
  listed,
  MINUTE,
  openTestDatabase,
  seen,
  snapshotRow,
  T0,
  type TestDatabase,
} from './testing/fixtures.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

const challenge = (hash: string, says = hash): StoredChallenge => ({
  hash,
  version: 2,
  challenge: { says },
});

async function record(id: string, at: number, challenges: readonly StoredChallenge[]) {
  const observations = challenges.map(({ hash }, i) => seen(id, at + i * 1_000, { challengeHash: hash }));
  return recordObservations(database.db, { owner: 'w', now: at }, { observations, challenges });
}

async function stored(hashes: readonly string[]) {
  const { data } = await database.db
    .from('challenges')
    .select('hash, challenge, last_seen_at')
    .in('hash', hashes)
    .order('hash');
  return (data ?? []).map((row) => ({ ...row, last_seen_at: Date.parse(row.last_seen_at) }));
}

describe('challenges of a batch', () => {
  it('are stored once by their hash, and marked as seen again after a day', async () => {
    await database.discover('once', T0, [listed('challengea')]);
    await record('challengea', T0, [challenge('once')]);
    await record('challengea', T0 + HOUR, [challenge('once', 'not read again')]);
    expect(await stored(['once'])).toEqual([{ hash: 'once', challenge: { says: 'once' }, last_seen_at: T0 }]);
    await record('challengea', T0 + 25 * HOUR, [challenge('once')]);
    expect(await stored(['once'])).toMatchObject([{ last_seen_at: T0 + 25 * HOUR }]);
  }, 30_000);

  it('are kept but for those that the database cannot store, and so are all observations', async () => {
    await database.discover('odd', T0, [listed('challengeb')]);
    const hashes = ['odd1', 'odd2', 'odd3', 'odd4', 'odd5'];
    const given = hashes.map((hash) => challenge(hash, hash === 'odd4' ? 'a\u0000b' : hash));
    expect(await record('challengeb', T0, given)).toMatchObject({ recorded: 5, dropped: 0 });
    expect((await stored(hashes)).map(({ hash }) => hash)).toEqual(['odd1', 'odd2', 'odd3', 'odd5']);
  }, 30_000);

  it('that were lost on their way are asked for by the next probe', async () => {
    await database.discover('lost', T0, [listed('challengec')]);
    const observations = [seen('challengec', T0, { challengeHash: 'lost' })];
    await recordObservations(database.db, { owner: 'w', now: T0 }, { observations, challenges: [] });
    expect(await stored(['lost'])).toEqual([]);
    await record('challengec', T0 + HOUR, [challenge('lost')]);
    expect(await stored(['lost'])).toHaveLength(1);
  }, 30_000);
});

describe('an observation', () => {
  it('that is in a batch twice, or arrives after later ones, counts once', async () => {
    const id = 'twiceaaaaa';
    await database.discover('twice', T0, [listed(id)]);
    const at = T0 + HOUR;
    expect(await database.record([seen(id, at), seen(id, at)], at)).toMatchObject({
      recorded: 1,
      dropped: 1,
    });
    const late = [seen(id, T0 + MINUTE), seen(id, at)];
    expect(await database.record(late, at + MINUTE)).toMatchObject({ recorded: 1, dropped: 1 });
    expect((await database.inputOf(id, at + HOUR))?.sums).toMatchObject({ probes: 2, up: 2, latencyN: 2 });
  }, 30_000);
});

describe('what waits to be scored', () => {
  it('is an endpoint that was listed or probed, until it is scored, and again after a day', async () => {
    const id = 'waitsaaaaa';
    await database.discover('waits', T0, [listed(id)]);
    const waiting = async (now: number) => {
      const inputs = await readScoringInputs(database.db, { now, maxAgeSeconds: 86_400, limit: 500 });
      return inputs.find(({ endpoint }) => endpoint.id === id);
    };
    const score = async (at: number, revision: number) =>
      saveSnapshots(database.db, at, [snapshotRow(id, 50, { revision })]);
    const first = await waiting(T0);
    await score(T0, first?.revision ?? -1);
    expect(await waiting(T0 + HOUR)).toBeUndefined();
    await database.record([seen(id, T0 + HOUR)], T0 + HOUR);
    const probed = await waiting(T0 + HOUR);
    expect(probed?.sums?.probes).toBe(1);
    await score(T0 + HOUR, probed?.revision ?? -1);
    expect(await waiting(T0 + 24 * HOUR)).toBeUndefined();
    expect(await waiting(T0 + 25 * HOUR)).toMatchObject({ sums: { probes: 1 } });
  }, 30_000);
});
