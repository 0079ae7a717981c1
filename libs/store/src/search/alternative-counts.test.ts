import { HOUR_MS } from '@touchstone/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countAlternatives, createPublicStore, saveSnapshots } from '../index.ts';
import { openTestDatabase, T0, type TestDatabase } from '../testing/fixtures.ts';
import {
  addEndpoints,
  makeId,
  MODEL,
  SCANS,
  selectScan,
  storeEndpoints,
  toRow,
  type SearchableEndpoint,
} from '../testing/search.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const HOURS = 24;
const NOW = T0 + 2 * HOUR_MS;
const low = { id: makeId(1), score: 40, vector: [10] } satisfies SearchableEndpoint;
const best = { id: makeId(2), score: 90, vector: [10, 1] } satisfies SearchableEndpoint;
const unrelated = { id: makeId(3), score: 99, vector: [0, 0, 1] } satisfies SearchableEndpoint;
const pending = { id: makeId(0), score: 20, vector: null } satisfies SearchableEndpoint;

const count = (now = NOW, limit = 100) =>
  countAlternatives(database.db, { now, model: MODEL, maxAgeSeconds: HOURS * 3600, limit });
const readSnapshot = (id: string) =>
  createPublicStore({ url: database.url, key: database.keys.publishable }).snapshot(id);

describe('the number of better alternatives', () => {
  beforeEach(() => storeEndpoints(database, [pending, low, best, unrelated]));

  it('is null until it is counted, and then stored with the time of the change', async () => {
    expect((await readSnapshot(low.id))?.betterAlternatives).toBeNull();
    expect(await count()).toEqual({ counted: 3, changed: [low.id, best.id, unrelated.id] });
    expect(await readSnapshot(low.id)).toMatchObject({
      betterAlternatives: 1,
      contentChangedAt: new Date(NOW).toISOString(),
    });
    expect((await readSnapshot(best.id))?.betterAlternatives).toBe(0);
    expect((await readSnapshot(pending.id))?.betterAlternatives).toBeNull();
  });

  it('is counted once a day, and names only changed endpoints', async () => {
    await count();
    expect(await count(NOW + HOURS * HOUR_MS - 1)).toEqual({ counted: 0, changed: [] });
    await addEndpoints(database, [{ id: makeId(4), score: 60, vector: [10] }], T0 + HOUR_MS);
    expect((await count(NOW + HOUR_MS)).changed).toEqual([makeId(4)]);
    const later = NOW + HOURS * HOUR_MS;
    expect(await count(later)).toEqual({ counted: 3, changed: [low.id] });
    expect(await readSnapshot(low.id)).toMatchObject({
      betterAlternatives: 2,
      contentChangedAt: new Date(later).toISOString(),
    });
    expect((await readSnapshot(best.id))?.contentChangedAt).toBe(new Date(NOW).toISOString());
  });

  it.each([
    ['the score moved by a point', { ...low, score: 41 }, 1, 1],
    ['the score moved by less', { ...low, score: 40.9 }, 1, 0],
    ['the recommendation changed', { ...low, snapshot: { recommendation: 'avoid' as const } }, 1, 1],
    ['the text changed', { ...low, text: best.id }, null, 1],
  ])(
    'is counted again when %s, and kept until then for the same text',
    async (...[, changed, kept, counted]) => {
      await count();
      await saveSnapshots(database.db, NOW + HOUR_MS, [toRow(changed)]);
      expect((await readSnapshot(low.id))?.betterAlternatives).toBe(kept);
      expect((await count(NOW + 2 * HOUR_MS)).counted).toBe(counted);
    },
  );

  it('is counted for the longest uncounted endpoints first, and never blocked by pending texts', async () => {
    expect((await count(NOW, 1)).changed).toEqual([low.id]);
    expect((await count(NOW + 1, 1)).changed).toEqual([best.id]);
    expect((await count(NOW + 2, 1)).changed).toEqual([unrelated.id]);
    expect((await count(NOW + 3, 1)).counted).toBe(0);
  });

  it('is stored for the endpoints that were counted in about two seconds', async () => {
    await database.connection.driver.exec(`
      alter function internal.min_alternative_score rename to min_score;
      create function internal.min_alternative_score(p_score double precision, p_min_score_delta double precision)
      returns double precision language plpgsql as $$
        begin perform pg_sleep(1.2); return internal.min_score(p_score, p_min_score_delta); end $$`);
    expect(await count()).toEqual({ counted: 2, changed: [low.id, best.id] });
    expect((await count()).changed).toEqual([unrelated.id]);
    await database.connection.driver.exec(`
      drop function internal.min_alternative_score;
      alter function internal.min_score rename to min_alternative_score`);
  });

  it.each(SCANS)('is at most 10 (%s)', async (scan) => {
    await selectScan(database, scan);
    const many = Array.from({ length: 14 }, (_, i) => ({ id: makeId(10 + i), score: 90, vector: [10, i] }));
    await addEndpoints(database, many);
    await count();
    expect((await readSnapshot(low.id))?.betterAlternatives).toBe(10);
  });
});
