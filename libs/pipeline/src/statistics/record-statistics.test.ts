import { DAY_MS } from '@touchstone/common';
import { expect, it } from 'vitest';
import { recordStatistics } from './record-statistics.ts';
import { maintain } from '../maintenance/maintain.ts';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import { useWorld } from '../testing/world.ts';

const world = useWorld();
const readDays = () => world.publicStore.readEcosystemDays(365);

it('stores the figures of the day, refreshes the pages with statistics, and keeps the figures for 400 days', async () => {
  const { db } = world.context;
  await storeProbedEndpoint(db, world.time, { resource: 'https://one.example.com/' });
  expect(await recordStatistics(world.context)).toEqual({ recorded: true });
  expect(world.changedTags).toEqual(['ecosystem']);
  expect(await readDays()).toMatchObject([{ day: '2026-05-01', endpoints: 1, providers: 1 }]);
  // The figures of a slow run do not replace the figures of a later run.
  const runAt = (at: number) => recordStatistics({ ...world.context, now: () => at });
  expect(await runAt(world.time + 2)).toEqual({ recorded: true });
  expect(await runAt(world.time + 1)).toEqual({ recorded: false });
  expect(world.changedTags).toEqual(['ecosystem', 'ecosystem']);

  world.time += 400 * DAY_MS;
  expect(await maintain(world.context)).toMatchObject({ ecosystem_days: 0 });
  world.time += DAY_MS;
  expect(await maintain(world.context)).toMatchObject({ ecosystem_days: 1 });
  expect(await readDays()).toEqual([]);
});
