import { MINUTE_MS } from '@touchstone/common';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { startApplication, type Application } from '../testing/inngest/inngest-application.ts';
import type { InngestServer } from '../testing/inngest/inngest-server.ts';
import { challenge, createWorld, item, type World } from '../testing/world.ts';

const COUNT = 12;
/** Probe interval in these tests, in seconds. */
const INTERVAL_SECONDS = 300;
const keys = createKeys();
let database: EmbeddedDatabase;
let world: World;
let application: Application;
let inngest: InngestServer;
let [tests, owners] = [0, 0];
/** Listed resources of the test, in order. */
let resources: readonly string[];
/** Time of the first due slot, in milliseconds since the epoch. */
let firstSlotAt: number;

beforeAll(async () => {
  database = await startMigrated({ keys });
});
afterAll(() => database.close());
beforeEach(async () => {
  tests += 1;
  const start = Date.UTC(2027, tests, 1);
  firstSlotAt = start + INTERVAL_SECONDS * 1000;
  world = await createWorld({ url: database.url, secret: keys.secret }, start);
  application = await startApplication(() => {
    owners += 1;
    return { ...world.context, owner: `inngest-${owners}` };
  });
  ({ inngest } = application);
  await application.register();
  world.handlers.set('/paid', challenge);
  resources = Array.from(
    { length: COUNT },
    (_, index) => `http://h${index}.i${tests}.example.com/paid`,
  ).sort();
  world.items = resources.map((resource) => item(resource));
});
afterEach(async () => {
  await database.connection.driver.exec('delete from public.endpoints; delete from public.host_queues;');
  await application.close();
  await world.close();
});

/** Lists the endpoints. Each one has a slot every five minutes, and the first slot is five minutes after the start. */
async function list(): Promise<void> {
  await discover(world.context);
  await database.connection.driver.exec(`
    update public.schedules set interval_seconds = ${INTERVAL_SECONDS}, offset_seconds = 0,
      next_probe_at = '${new Date(firstSlotAt).toISOString()}';
    select internal.update_host_queues(array(select host from public.host_queues));`);
}

async function readRows(query: string): Promise<readonly unknown[]> {
  return (await database.connection.driver.query(query)).rows;
}

/** Returns the single combination of values of the rows of all endpoints, and the number of these rows. */
const readDistinct = (columns: string, table: string) =>
  readRows(`select ${columns}, count(*)::integer as n from public.${table} group by ${columns}`);

/** Runs a function twice at the same time. Returns the outputs of both runs. */
async function runTwice(functionId: string): Promise<readonly unknown[]> {
  const runs = await Promise.all([inngest.run(functionId), inngest.run(functionId)]);
  expect(runs).toMatchObject([{ failed: false }, { failed: false }]);
  return runs.map(({ output }) => output);
}

/** Runs a function at the same time for all events that were sent. Returns the outputs of the runs. */
async function runEvents(functionId: string): Promise<readonly unknown[]> {
  const runs = await Promise.all(inngest.events.map((event) => inngest.run(functionId, event)));
  for (const run of runs) expect(run).toMatchObject({ failed: false, errors: 0 });
  return runs.map(({ output }) => output);
}

const sum = (outputs: readonly unknown[], key: string): number =>
  // The outputs are objects with counts.
  outputs.reduce<number>((total, output) => total + Number((output as Record<string, unknown>)[key]), 0);

it('a run of `probe` that starts 10 minutes late probes each latest slot once, and counts the slots before it', async () => {
  await list();
  world.time = firstSlotAt + 10 * MINUTE_MS;
  expect((await inngest.run('touchstone-probe')).output).toMatchObject({ due: COUNT, batches: 1 });
  await inngest.drain();
  expect(world.requestedUrls.toSorted()).toEqual(resources);
  // The slots of the minutes 0, 5 and 10 were due. One probe covers all of them.
  const due = { slots_due: 3, due_seconds: 3 * INTERVAL_SECONDS };
  expect(await readDistinct('probes, slots_due, slots_probed, due_seconds', 'daily_rollups')).toEqual([
    { probes: 1, slots_probed: 1, ...due, n: COUNT },
  ]);
  // The next slot is five minutes after the latest one, and it is due alone.
  world.time += (INTERVAL_SECONDS - 1) * 1000;
  expect((await inngest.run('touchstone-probe')).output).toMatchObject({ due: 0, batches: 0 });
  world.time += 1000;
  expect((await inngest.run('touchstone-probe')).output).toMatchObject({ due: COUNT, batches: 1 });
  await inngest.drain();
  expect(await readDistinct('probes, slots_due, slots_probed', 'daily_rollups')).toEqual([
    { probes: 2, slots_due: 4, slots_probed: 2, n: COUNT },
  ]);
});

describe('two overlapping runs', () => {
  it('of `probe` request two batches, which probe each endpoint once', async () => {
    await list();
    world.time = firstSlotAt;
    expect(sum(await runTwice('touchstone-probe'), 'batches')).toBe(2);
    expect(sum(await runEvents('touchstone-probe-batch'), 'recorded')).toBe(COUNT);
    expect(world.requestedUrls.toSorted()).toEqual(resources);
    expect(await readDistinct('probes, slots_due', 'daily_rollups')).toEqual([
      { probes: 1, slots_due: 1, n: COUNT },
    ]);
    expect(await readRows('select 1 from public.leases where not is_recheck')).toEqual([]);
  });

  it('of `score` score each endpoint once', async () => {
    await list();
    const outputs = await runTwice('touchstone-score');
    expect([sum(outputs, 'scored'), sum(outputs, 'failed')]).toEqual([COUNT, 0]);
    expect(world.changedIds).toHaveLength(COUNT);
    expect(new Set(world.changedIds).size).toBe(COUNT);
  });

  it('of `discover` list each endpoint once, also when both readings of the directory overlap', async () => {
    expect(sum(await runTwice('touchstone-discover'), 'directories')).toBe(2);
    await runEvents('touchstone-read-directory');
    expect(await readDistinct('kind', 'changes')).toEqual([{ kind: 'listed', n: COUNT }]);
    expect(await readDistinct('missed_runs', 'listings')).toEqual([{ missed_runs: 0, n: COUNT }]);
    expect(await readDistinct('listing_status', 'endpoints')).toEqual([
      { listing_status: 'listed', n: COUNT },
    ]);
  });
});
