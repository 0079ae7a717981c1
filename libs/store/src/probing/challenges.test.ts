import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, recordObservations, type StoredChallenge } from '../index.ts';
import {
  makeEndpoint,
  openTestDatabase,
  makeObservation,
  T0,
  type TestDatabase,
} from '../testing/fixtures.ts';

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
  const observations = challenges.map(({ hash }, i) =>
    makeObservation(id, at + i * 1_000, { challengeHash: hash }),
  );
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
  it('are stored once by their hash, with a new last-seen time after a day', async () => {
    await database.discover('once', T0, [makeEndpoint('challengea')]);
    await record('challengea', T0, [challenge('once')]);
    await record('challengea', T0 + HOUR_MS, [challenge('once', 'not read again')]);
    expect(await stored(['once'])).toEqual([{ hash: 'once', challenge: { says: 'once' }, last_seen_at: T0 }]);
    await record('challengea', T0 + 25 * HOUR_MS, [challenge('once')]);
    expect(await stored(['once'])).toMatchObject([{ last_seen_at: T0 + 25 * HOUR_MS }]);
  }, 30_000);

  it('are stored except those that the database rejects; all observations are stored', async () => {
    await database.discover('odd', T0, [makeEndpoint('challengeb')]);
    const hashes = ['odd1', 'odd2', 'odd3', 'odd4', 'odd5'];
    const given = hashes.map((hash) => challenge(hash, hash === 'odd4' ? 'a\u0000b' : hash));
    expect(await record('challengeb', T0, given)).toMatchObject({ recorded: 5, dropped: 0 });
    expect((await stored(hashes)).map(({ hash }) => hash)).toEqual(['odd1', 'odd2', 'odd3', 'odd5']);
  }, 30_000);

  it('leave the batch recorded when the call that stores them fails', async () => {
    await database.discover('cut off', T0, [makeEndpoint('challenged')]);
    // Only the call that stores challenges fails, as in a deadlock or after a lost connection.
    const cutOff: typeof fetch = (input, init) => {
      const isCut = (input instanceof Request ? input.url : input.toString()).endsWith(
        '/rpc/store_challenges',
      );
      return isCut ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init);
    };
    const db = connect({ url: database.url, key: database.keys.secret, fetch: cutOff });
    const observations = [makeObservation('challenged', T0, { challengeHash: 'cut off' })];
    const batch = { observations, challenges: [challenge('cut off')] };
    const result = await recordObservations(db, { owner: 'w', now: T0 }, batch);
    expect(result).toMatchObject({ recorded: 1, dropped: 0, unstoredChallenges: 1 });
    expect(await stored(['cut off'])).toEqual([]);
    expect(await record('challenged', T0 + HOUR_MS, [challenge('cut off')])).toMatchObject({
      unstoredChallenges: 0,
    });
    expect(await stored(['cut off'])).toHaveLength(1);
  }, 30_000);

  it('are sent again with the next probe after a failure', async () => {
    await database.discover('lost', T0, [makeEndpoint('challengec')]);
    const observations = [makeObservation('challengec', T0, { challengeHash: 'lost' })];
    await recordObservations(database.db, { owner: 'w', now: T0 }, { observations, challenges: [] });
    expect(await stored(['lost'])).toEqual([]);
    await record('challengec', T0 + HOUR_MS, [challenge('lost')]);
    expect(await stored(['lost'])).toHaveLength(1);
  }, 30_000);
});

describe('an observation', () => {
  it('counts once when it is duplicated in a batch or arrives late', async () => {
    const id = 'twiceaaaaa';
    await database.discover('twice', T0, [makeEndpoint(id)]);
    const at = T0 + HOUR_MS;
    expect(await database.record([makeObservation(id, at), makeObservation(id, at)], at)).toMatchObject({
      recorded: 1,
      dropped: 1,
    });
    const late = [makeObservation(id, T0 + MINUTE_MS), makeObservation(id, at)];
    expect(await database.record(late, at + MINUTE_MS)).toMatchObject({ recorded: 1, dropped: 1 });
    expect((await database.readInput(id, at + HOUR_MS))?.sums).toMatchObject({
      probes: 2,
      up: 2,
      latencyN: 2,
    });
  }, 30_000);
});
