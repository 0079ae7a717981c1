import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pruneRows, recordObservations, saveSnapshots, type Observation } from '../index.ts';
import {
  makeId,
  useTestDatabase,
  makeObservation,
  makeSnapshotRow,
  T0,
  makeTerms,
} from '../testing/fixtures.ts';

const database = useTestDatabase();

/**
 * Returns the histogram bucket of a latency: 64 logarithmic buckets, 16 per power of ten from 1 ms, as in the scoring
 * formula.
 */
const toBucket = (ms: number): number => Math.min(63, Math.max(0, Math.floor(16 * Math.log10(ms))));

const probe = fc.record({
  latencyMs: fc.integer({ min: 1, max: 120_000 }).map((tenths) => tenths / 10),
  kind: fc.constantFrom('up', 'up', 'up', 'down', 'blocked', 'failed'),
  amountUsd: fc.constantFrom(null, '0.010000', '0.020000'),
});
type Probe = typeof probe extends fc.Arbitrary<infer T> ? T : never;

function toObservation(id: string, { latencyMs, kind, amountUsd }: Probe, i: number): Observation {
  // The observations continue past midnight, so that the rollups of more than one day are merged.
  const at = T0 + 20 * HOUR_MS + i * 20 * MINUTE_MS;
  const down = { outcome: 'timeout', vitality: 'down', bucket: null, compliance: null } as const;
  if (kind === 'down') return makeObservation(id, at, down);
  if (kind === 'failed') return makeObservation(id, at, { ...down, excluded: true });
  if (kind === 'blocked')
    return makeObservation(id, at, {
      outcome: 'blocked',
      vitality: 'neither',
      bucket: null,
      compliance: null,
    });
  return makeObservation(id, at, { latencyMs, bucket: toBucket(latencyMs), amountUsd });
}

async function readRollups(id: string) {
  const { data } = await database.db.from('daily_rollups').select('*').eq('endpoint_id', id).order('day');
  return (data ?? []).map((day) => ({ ...day, endpoint_id: null }));
}

let next = 0;
async function fresh(): Promise<string> {
  const id = makeId((next += 1));
  await database.discover(`rollups ${id}`, T0, [id]);
  return id;
}

describe('daily rollups', () => {
  it('of all observations equal the merged rollups of their batches, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(probe, fc.integer({ min: 0, max: 3 })), { minLength: 1, maxLength: 24 }),
        fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4, maxLength: 4 }),
        async (probes, order) => {
          const [whole, parted] = [await fresh(), await fresh()];
          await database.record(
            probes.map(([given], i) => toObservation(whole, given, i)),
            T0 + 48 * HOUR_MS,
          );
          for (const part of order) {
            const rows = probes.map(([given], i) => toObservation(parted, given, i));
            await database.record(
              rows.filter((_, i) => probes[i]?.[1] === part),
              T0 + 48 * HOUR_MS,
            );
          }
          expect(await readRollups(parted)).toEqual(await readRollups(whole));
        },
      ),
      { numRuns: 8 },
    );
  }, 120_000);

  it('count observations with an invalid bucket as without latency', async () => {
    const id = await fresh();
    const odd = [64, -1, 32_000].map((bucket, i) => makeObservation(id, T0 + i * MINUTE_MS, { bucket }));
    expect(await database.record(odd, T0 + HOUR_MS)).toMatchObject({ recorded: 3 });
    await database.record(
      [63, 0].map((bucket, i) => makeObservation(id, T0 + (10 + i) * MINUTE_MS, { bucket })),
      T0 + HOUR_MS,
    );
    const [day] = await readRollups(id);
    expect(day).toMatchObject({ probes: 5, up: 5, latency_n: 2 });
    expect(day?.latency_histogram).toEqual([1, ...Array<number>(62).fill(0), 1]);
  });
});

describe('expired rows', () => {
  it('are deleted in bounded steps: rollups and scores by day, changes by time, challenges by last-seen time', async () => {
    const id = await fresh();
    const [old, recent] = [T0 - 100 * 24 * HOUR_MS, T0 + 10 * 24 * HOUR_MS];
    const challenge = (hash: string) => ({ hash, version: 2 as const, challenge: { hash } });
    const record = (at: number, hashes: string[]) =>
      recordObservations(
        database.db,
        { owner: 'w', now: at },
        {
          observations: hashes.map((hash, i) =>
            makeObservation(id, at + i * MINUTE_MS, { challengeHash: hash, terms: makeTerms(hash, '0xa') }),
          ),
          challenges: hashes.map(challenge),
        },
      );
    await record(old, ['gone', 'kept']);
    await record(old + 24 * HOUR_MS, ['gone']);
    await record(recent, ['kept']);
    for (const at of [old, recent]) await saveSnapshots(database.db, at, [makeSnapshotRow(id, 50)]);
    const keepFrom = T0 - 50 * 24 * HOUR_MS;
    const before = {
      challenges: keepFrom,
      changes: keepFrom,
      daily_rollups: keepFrom,
      daily_scores: keepFrom,
    };
    const prune = () => pruneRows(database.db, before, 1);
    expect(await prune()).toMatchObject({ challenges: 1, changes: 1, daily_rollups: 1, daily_scores: 1 });
    expect(await prune()).toMatchObject({ challenges: 0, changes: 1, daily_rollups: 1, daily_scores: 0 });
    expect(await prune()).toMatchObject({ challenges: 0, changes: 0, daily_rollups: 0, daily_scores: 0 });
    const { data } = await database.db.from('challenges').select('hash, first_seen_at, last_seen_at');
    expect(data?.map(({ hash }) => hash)).toEqual(['kept']);
    expect(await readRollups(id)).toHaveLength(1);
    expect(await database.readChangeKinds(id)).toEqual(['listed', 'price_change']);
  });
});
