import { DAY_MS } from '@touchstone/common';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTemporaryFolder } from '../testing/test-sandbox.ts';
import { openSimulationSettings } from './simulation-settings.ts';

const nothingRequested = { seed: null, epoch: null, historyDays: 14 };

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
beforeEach(async () => (folder = await createTemporaryFolder()));
afterEach(() => folder.remove());

test('creates an epoch `historyDays` before the first start', async () => {
  const before = Date.now();
  const settings = await openSimulationSettings(folder.path, { ...nothingRequested, historyDays: 3 });
  const after = Date.now();
  expect(settings.seed).toBe('touchstone');
  const startedAt = Date.parse(settings.epoch) + 3 * DAY_MS;
  expect(startedAt).toBeGreaterThanOrEqual(before - 1_000);
  expect(startedAt).toBeLessThanOrEqual(after);
  expect(JSON.parse(await readFile(join(folder.path, 'world.json'), 'utf8'))).toEqual(settings);
});

test('keeps seed and epoch at a restart with other defaults', async () => {
  const settings = await openSimulationSettings(folder.path, {
    seed: 'mine',
    epoch: '2026-02-03T04:05:06Z',
    historyDays: 14,
  });
  expect(settings).toEqual({ seed: 'mine', epoch: '2026-02-03T04:05:06.000Z' });
  expect(await openSimulationSettings(folder.path, { ...nothingRequested, historyDays: 99 })).toEqual(
    settings,
  );
  expect(
    await openSimulationSettings(folder.path, {
      seed: 'mine',
      epoch: '2026-02-03T05:05:06+01:00',
      historyDays: 1,
    }),
  ).toEqual(settings);
});

test('rejects another seed or epoch', async () => {
  await openSimulationSettings(folder.path, { seed: 'mine', epoch: '2026-02-03T04:05:06Z', historyDays: 14 });
  await expect(openSimulationSettings(folder.path, { ...nothingRequested, seed: 'yours' })).rejects.toThrow(
    /SANDBOX_SEED is "yours"/,
  );
  await expect(
    openSimulationSettings(folder.path, { ...nothingRequested, epoch: '2026-02-04T00:00:00Z' }),
  ).rejects.toThrow(/SANDBOX_EPOCH/);
});

test.each(['', 'not json', '{}', '{"seed":"a","epoch":"yesterday"}'])(
  'rejects the damaged file %j',
  async (text) => {
    await writeFile(join(folder.path, 'world.json'), text);
    await expect(openSimulationSettings(folder.path, nothingRequested)).rejects.toThrow(
      /world\.json is damaged/,
    );
  },
);
