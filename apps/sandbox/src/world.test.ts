import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from './test-world.ts';
import { openWorld } from './world.ts';

const DAY_MS = 86_400_000;
const nothing = { seed: null, epoch: null, historyDays: 14 };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => (folder = await temporaryFolder()));
afterEach(() => folder.remove());

test('the first start makes a world that began so many days ago', async () => {
  const world = await openWorld(folder.path, { ...nothing, historyDays: 3 });
  expect(world.seed).toBe('touchstone');
  expect(Math.abs(Date.parse(world.epoch) - (Date.now() - 3 * DAY_MS))).toBeLessThan(5_000);
  expect(JSON.parse(await readFile(join(folder.path, 'world.json'), 'utf8'))).toEqual(world);
});

test('a restart keeps it, whatever the defaults are then', async () => {
  const world = await openWorld(folder.path, {
    seed: 'mine',
    epoch: '2026-02-03T04:05:06Z',
    historyDays: 14,
  });
  expect(world).toEqual({ seed: 'mine', epoch: '2026-02-03T04:05:06.000Z' });
  expect(await openWorld(folder.path, { ...nothing, historyDays: 99 })).toEqual(world);
  expect(
    await openWorld(folder.path, { seed: 'mine', epoch: '2026-02-03T05:05:06+01:00', historyDays: 1 }),
  ).toEqual(world);
});

test('it refuses to become another world', async () => {
  await openWorld(folder.path, { seed: 'mine', epoch: '2026-02-03T04:05:06Z', historyDays: 14 });
  await expect(openWorld(folder.path, { ...nothing, seed: 'yours' })).rejects.toThrow(
    /SANDBOX_SEED is "yours"/,
  );
  await expect(openWorld(folder.path, { ...nothing, epoch: '2026-02-04T00:00:00Z' })).rejects.toThrow(
    /SANDBOX_EPOCH/,
  );
});

test.each(['', 'not json', '{}', '{"seed":"a","epoch":"yesterday"}'])('%j is not a world', async (text) => {
  await writeFile(join(folder.path, 'world.json'), text);
  await expect(openWorld(folder.path, nothing)).rejects.toThrow(/world\.json is not a world/);
});
