import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { connect, type Db } from '@touchstone/store';
import type { PipelineContext } from './context.ts';
import { discover } from './discover.ts';
import { failingFetch } from './testing/failing-fetch.ts';
import { startApplication, type Application } from './testing/inngest-application.ts';
import type { InngestServer } from './testing/inngest-server.ts';
import { challenge, createWorld, item, type World } from './testing/world.ts';

const HALF_HOUR = 30 * 60_000;
/** What Inngest keeps of one step; it allows 4 MB. */
const STEP_BYTES = 4 * 1024;

const keys = createKeys();
let database: EmbeddedDatabase;
let db: Db;
let world: World;
let application: Application;
let inngest: InngestServer;
let tests = 0;
let owners = 0;
/** Replaces parts of the context of the next steps. */
let overrides: Partial<PipelineContext>;
/** Milliseconds that pass with each step: a host is left in peace for a moment after it was claimed. */
let tick: number;
/** When the test began, in the world's time. */
let began: number;

beforeAll(async () => {
  database = await startMigrated({ keys });
  db = connect({ url: database.url, key: keys.secret });
});
afterAll(() => database.close());

beforeEach(async () => {
  tests += 1;
  overrides = {};
  tick = 0;
  began = Date.UTC(2027, tests, 1);
  world = await createWorld({ url: database.url, secret: keys.secret }, began);
  application = await startApplication(() => {
    owners += 1;
    world.time += tick;
    return { ...world.context, owner: `inngest-${owners}`, ...overrides };
  });
  ({ inngest } = application);
  expect(await application.register()).toBe(200);
});
afterEach(async () => {
  // What one test left due is no business of the next.
  await db.from('leases').delete().neq('owner', '-');
  await db.from('schedules').delete().neq('endpoint_id', '');
  await db.from('host_queues').delete().neq('host', '');
  await application.close();
  await world.close();
});

/** Each endpoint has a host of its own: politeness to one host is not what is tested here. */
const resource = (index: number): string => `http://h${index}.i${tests}.example.com/paid`;
const ours = (): readonly string[] =>
  world.asked.filter((asked) => asked.includes(`.i${tests}.example.com/`));

/** Lists endpoints that all answer with a challenge, and waits until each is due. */
async function list(count: number): Promise<readonly string[]> {
  world.answers.set('/paid', challenge);
  const resources = Array.from({ length: count }, (_, index) => resource(index));
  world.items = resources.map((address) => item(address));
  await discover(world.context);
  world.time += HALF_HOUR;
  return resources;
}

async function countOf(table: 'leases' | 'observations'): Promise<number> {
  const head = { count: 'exact', head: true } as const;
  const { count, error } = await (table === 'leases'
    ? // A busy machine may miss one, and that is confirmed later.
      db.from('leases').select('endpoint_id', head).eq('confirms', false)
    : db.from('observations').select('endpoint_id', head).gte('at', new Date(began).toISOString()));
  if (error) throw new Error(error.message);
  return count ?? 0;
}

describe('a sweep', () => {
  it('is one run for each batch, and carries counts', async () => {
    const due = await list(1_100);
    const sweep = await inngest.run('touchstone-sweep');
    expect(sweep.output).toEqual({ due: 1_100, batches: 3 });
    const batches = await inngest.drain();
    expect(batches).toHaveLength(3);
    expect(batches.map(({ functionId }) => functionId)).toEqual(Array(3).fill('touchstone-probe-batch'));
    for (const { steps, output } of [sweep, ...batches]) {
      for (const { bytes } of steps) expect(bytes).toBeLessThan(STEP_BYTES);
      expect(JSON.stringify(output).length).toBeLessThan(STEP_BYTES);
    }
    expect([...ours()].sort()).toEqual([...due].sort());
    expect(await countOf('observations')).toBe(1_100);
    expect(await countOf('leases')).toBe(0);
    expect((await inngest.run('touchstone-sweep')).output).toEqual({ due: 0, batches: 0 });

    const score = await inngest.run('touchstone-score');
    expect(score.output).toMatchObject({ scored: 1_100, changed: 1_100, failed: 0 });
    // What is a day old, and three batches.
    expect(score.steps).toHaveLength(4);
    expect(new Set(world.changed).size).toBe(1_100);
    for (const { bytes } of score.steps) expect(bytes).toBeLessThan(STEP_BYTES);
    expect((await inngest.run('touchstone-score')).output).toMatchObject({ scored: 0, changed: 0 });
  }, 120_000);

  it('changes nothing more when every request is delivered twice', async () => {
    const due = await list(40);
    inngest.deliveries = 2;
    await inngest.run('touchstone-sweep');
    expect(inngest.events).toHaveLength(1);
    await inngest.drain();
    expect([...ours()].sort()).toEqual([...due].sort());
    expect(await countOf('observations')).toBe(40);
    expect(await countOf('leases')).toBe(0);
    await inngest.run('touchstone-score');
    expect(world.changed.length).toBeGreaterThanOrEqual(40);
    expect(new Set(world.changed).size).toBe(world.changed.length);
  });

  it('finds nothing to do when an event is delivered again', async () => {
    await list(5);
    await inngest.run('touchstone-sweep');
    await inngest.drain();
    const [event] = inngest.events;
    const again = await inngest.run('touchstone-probe-batch', event);
    expect(again).toMatchObject({ failed: false, output: { claimed: 0, recorded: 0 } });
    expect(ours()).toHaveLength(5);
  });

  it('tries a batch again that could not be recorded, with the same slots', async () => {
    await list(20);
    await inngest.run('touchstone-sweep');
    tick = 1_000;
    const fetch = failingFetch(['record_observations'], 1);
    overrides = { db: connect({ url: database.url, key: keys.secret, fetch }) };
    const [batch] = await inngest.drain();
    expect(batch).toMatchObject({ failed: false, errors: 1 });
    expect(await countOf('observations')).toBe(20);
    expect(await countOf('leases')).toBe(0);
  });

  it('fails without holding on to slots when nothing helps', async () => {
    await list(3);
    await inngest.run('touchstone-sweep');
    tick = 1_000;
    const fetch = failingFetch(['record_observations']);
    overrides = { db: connect({ url: database.url, key: keys.secret, fetch }) };
    expect(await inngest.drain()).toMatchObject([{ failed: true, errors: 3 }]);
    overrides = {};
    expect(await countOf('leases')).toBe(0);
    expect((await inngest.run('touchstone-sweep')).output).toEqual({ due: 3, batches: 1 });
    await inngest.drain();
    expect(await countOf('observations')).toBe(3);
  });
});

describe('discovery', () => {
  it('is one run for each directory', async () => {
    world.items = [item(resource(0)), item(resource(1)), item('ftp://files.example.com/')];
    const cron = await inngest.run('touchstone-discover');
    expect(cron.output).toEqual({ directories: 1 });
    inngest.deliveries = 2;
    const [read] = await inngest.drain();
    expect(read).toMatchObject({ functionId: 'touchstone-read-directory', failed: false });
    for (const { bytes } of read?.steps ?? []) expect(bytes).toBeLessThan(STEP_BYTES);
    const { count } = await db
      .from('endpoints')
      .select('id', { count: 'exact', head: true })
      .like('host', `%.i${tests}.example.com`);
    expect(count).toBe(2);
  });

  it('asks no directory that is not configured', async () => {
    const event = {
      name: 'touchstone/directory.due',
      data: { key: '1', directory: world.context.directories[0]?.url },
    };
    const run = await inngest.run('touchstone-read-directory', event);
    expect(run).toMatchObject({ failed: true, errors: 1 });
  });
});

describe('retention', () => {
  it('makes partitions ahead, once', async () => {
    const { output } = await inngest.run('touchstone-maintain');
    expect(output).toMatchObject({ made: 4 });
    expect((await inngest.run('touchstone-maintain')).output).toMatchObject({ made: 0 });
  });
});
