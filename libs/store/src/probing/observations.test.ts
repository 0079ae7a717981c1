import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import {
  claimDueEndpoints,
  releaseLeases,
  connect,
  recordObservations,
  type StoredChallenge,
} from '../index.ts';
import { T0, DOWN, makeEndpoint, makeObservation, useTestDatabase } from '../testing/fixtures.ts';

const database = useTestDatabase();

describe('claiming', () => {
  /** Claims all due slots. Returns the slots of the endpoints with the given prefix. */
  const createClaim =
    (prefix: string) =>
    async (owner: string, now: number, leaseSeconds = 60) => {
      const options = { owner, now, limit: 500, leaseSeconds, hostSuffix: null };
      const slots = await claimDueEndpoints(database.db, options);
      return slots.filter(({ endpointId }) => endpointId.startsWith(prefix));
    };

  it('gives a slot to one worker, and to another one after its lease expires', async () => {
    const claim = createClaim('fff');
    await database.discover('claims', T0, [
      makeEndpoint('ffffffffff'),
      makeEndpoint('fffffffffa', { scheduled: false }),
    ]);
    const now = T0 + 10 * MINUTE_MS;
    const first = await claim('one', now);
    expect(first).toMatchObject([{ endpointId: 'ffffffffff', slotAt: T0 + 10 * MINUTE_MS }]);
    expect(await claim('two', now + 30_000)).toEqual([]);
    const retaken = await claim('two', now + 61_000);
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
    const claim = createClaim('oooooooooo');
    await database.discover('back', T0, ['oooooooooo']);
    expect(await claim('dead', T0 + 10 * MINUTE_MS, 3600)).toHaveLength(1);
    expect(await claim('other', T0 + 11 * MINUTE_MS)).toEqual([]);
    await releaseLeases(database.db, 'dead');
    expect(await claim('other', T0 + 12 * MINUTE_MS)).toMatchObject([{ slotAt: T0 + 10 * MINUTE_MS }]);
  });

  it('returns one slot per endpoint, however many have expired', async () => {
    const claim = createClaim('pppppppppp');
    await database.discover('lost', T0, ['pppppppppp']);
    expect(await claim('one', T0 + 10 * MINUTE_MS, 7200)).toHaveLength(1);
    expect(await claim('two', T0 + 40 * MINUTE_MS, 5400)).toHaveLength(1);
    const late = T0 + 131 * MINUTE_MS;
    expect(await claim('three', late)).toMatchObject([{ slotAt: T0 + 40 * MINUTE_MS }]);
    expect(await claim('four', late + 1000)).toMatchObject([{ slotAt: T0 + 130 * MINUTE_MS }]);
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
    const claim = createClaim('gggggggggg');
    await database.discover('gaps', T0, ['gggggggggg']);
    const slots = await claim('one', T0 + 5 * HOUR_MS);
    expect(slots.map((slot) => slot.slotAt)).toEqual([T0 + 4 * HOUR_MS + 40 * MINUTE_MS]);
    expect(await releaseLeases(database.db, 'one')).toBeGreaterThan(0);
    expect(await releaseLeases(database.db, 'one')).toBe(0);
  });
});

describe('recording', () => {
  it('adds up days, latencies and compliance, and counts each observation once', async () => {
    const id = 'hhhhhhhhhh';
    await database.discover('rec', T0, [id]);
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
    const twice = [...rows, ...rows.slice(0, 1)];
    expect(await database.record(twice, T0 + 26 * HOUR_MS)).toMatchObject({ recorded: 4, dropped: 1 });
    expect(await database.record(rows, T0 + 26 * HOUR_MS)).toMatchObject({ recorded: 0, dropped: 4 });
    await database.observe(id, T0 + 26 * HOUR_MS);
    const input = await database.readInput(id, T0 + 27 * HOUR_MS);
    expect(input?.sums).toMatchObject({
      probes: { total: 5, scored: 4, up: 3, blocked: 1 },
      envelopes: { pass: 2, errors: 1 },
      latencyN: 3,
    });
    expect(input?.sums?.latencyHistogram?.[33]).toBe(2);
    expect(input?.sums?.latencyHistogram?.[40]).toBe(1);
    expect(input?.sums?.latencyHistogram).toHaveLength(64);
  });

  it('drops observations from the future, so that others until then are not late', async () => {
    const id = 'futureaaaa';
    await database.discover('future', T0, [id]);
    const years = makeObservation(id, T0 + 10 * 365 * 24 * HOUR_MS);
    expect(await database.record([years, makeObservation(id, T0 + HOUR_MS)], T0 + HOUR_MS)).toMatchObject({
      recorded: 1,
      dropped: 1,
    });
    await database.observe(id, T0 + 1.5 * HOUR_MS, DOWN);
    expect((await database.readInput(id, T0 + 2 * HOUR_MS))?.state.downSince).toBe(T0 + 1.5 * HOUR_MS);
  });

  it('stores a price of any size', async () => {
    const id = 'ssssssssss';
    await database.discover('dear', T0, [id]);
    const amountUsd = `${'9'.repeat(60)}.000001`;
    expect(await database.observe(id, T0, { amountUsd })).toMatchObject({
      recorded: 1,
    });
    expect((await database.readInput(id, T0))?.sums?.medianPriceUsd).toBe(amountUsd);
  });
});

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
    await database.discover('once', T0, ['challengea']);
    await record('challengea', T0, [challenge('once')]);
    await record('challengea', T0 + HOUR_MS, [challenge('once', 'not read again')]);
    expect(await stored(['once'])).toEqual([{ hash: 'once', challenge: { says: 'once' }, last_seen_at: T0 }]);
    await record('challengea', T0 + 25 * HOUR_MS, [challenge('once')]);
    expect(await stored(['once'])).toMatchObject([{ last_seen_at: T0 + 25 * HOUR_MS }]);
  }, 30_000);

  it('are stored except those that the database rejects; all observations are stored', async () => {
    await database.discover('odd', T0, ['challengeb']);
    const hashes = ['odd1', 'odd2', 'odd3', 'odd4', 'odd5'];
    const given = hashes.map((hash) => challenge(hash, hash === 'odd4' ? 'a\u0000b' : hash));
    expect(await record('challengeb', T0, given)).toMatchObject({ recorded: 5, dropped: 0 });
    expect((await stored(hashes)).map(({ hash }) => hash)).toEqual(['odd1', 'odd2', 'odd3', 'odd5']);
  }, 30_000);

  it('leave the batch recorded when the call that stores them fails', async () => {
    await database.discover('cut off', T0, ['challenged']);
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
});
