import { HOUR_MS } from '@touchstone/common';
import { beforeEach, expect, it } from 'vitest';
import { readPageExpirations, recordPageExpirations } from '../index.ts';
import { useTestDatabase } from '../testing/fixtures.ts';

const database = useTestDatabase();
beforeEach(async () => {
  await database.db.from('page_expirations').delete().gte('sequence', 0);
});

const record = (tags: readonly string[]) => recordPageExpirations(database.db, tags);
const read = (after: number | null) => readPageExpirations(database.db, after);

it('returns the different tags after a position', async () => {
  await record(['leaderboard', 'endpoint:one', 'leaderboard']);
  const { latest, tags } = await read(null);
  expect(tags).toBeNull();
  expect(await read(latest)).toEqual({ latest, tags: [] });
  await record(['leaderboard', 'endpoint:two']);
  await record(['leaderboard']);
  expect(await read(latest)).toEqual({ latest: latest + 3, tags: ['endpoint:two', 'leaderboard'] });
  expect((await read(latest - 2)).tags).toContain('endpoint:one');
});

it('returns no tags after more than 10,000 changes', async () => {
  await record(['leaderboard']);
  const { latest } = await read(null);
  await record(Array.from({ length: 10_000 }, (_, index) => `endpoint:${index}`));
  expect((await read(latest)).tags).toHaveLength(10_000);
  await record(['leaderboard']);
  expect(await read(latest)).toEqual({ latest: latest + 10_001, tags: null });
});

it('deletes rows older than two hours with the next write, and keeps the position', async () => {
  await record(['old']);
  const { latest } = await read(null);
  const at = new Date(Date.now() - 2 * HOUR_MS - 1).toISOString();
  await database.db.from('page_expirations').update({ at }).eq('tag', 'old').throwOnError();
  await record(['new']);
  expect((await database.db.from('page_expirations').select('tag')).data).toEqual([{ tag: 'new' }]);
  await database.db.from('page_expirations').delete().gte('sequence', 0);
  expect(await read(latest + 1)).toEqual({ latest: latest + 1, tags: [] });
});

it('returns no tags, but the latest position, for a position of a database that was restored', async () => {
  await record(['leaderboard']);
  const { latest } = await read(null);
  expect(await read(latest + 1)).toEqual({ latest, tags: null });
  expect(await read(latest)).toEqual({ latest, tags: [] });
});
