import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { connect } from '@touchstone/store';
import { discover } from './discover.ts';
import { countBatches, probeBatch, probeDue } from './probe-batch.ts';
import { SWEEP_LIMITS } from './sweep.ts';
import { failingFetch } from './testing/failing-fetch.ts';
import { createManners } from './manners.ts';
import { challenge, createWorld, item, type World } from './testing/world.ts';

const keys = createKeys();
const FIVE = { ...SWEEP_LIMITS, batch: 5 };
let database: EmbeddedDatabase;
let world: World;
let tests = 0;

beforeAll(async () => {
  database = await startMigrated({ keys });
});
afterAll(() => database.close());
beforeEach(async () => {
  tests += 1;
  world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, tests, 1));
  world.answers.set('/paid', challenge);
  world.items = Array.from({ length: 12 }, (_, index) => item(`http://h${index}.example.com/paid`));
  await discover(world.context);
  world.time += 30 * 60_000;
});
afterEach(async () => {
  await world.context.db.from('leases').delete().neq('owner', '');
  await world.context.db.from('schedules').delete().neq('endpoint_id', '');
  await world.context.db.from('host_queues').delete().neq('host', '');
  await world.close();
});

/** The context of a worker for which some of the database's functions fail. */
function without(...functions: readonly string[]) {
  const db = connect({ url: database.url, key: keys.secret, fetch: failingFetch(functions) });
  return { ...world.context, db };
}

describe('a batch', () => {
  it('is one of as many as what is due fills', async () => {
    expect(await countBatches(world.context, FIVE)).toEqual({ due: 12, batches: 3 });
    await probeBatch(world.context, FIVE);
    expect(await countBatches(world.context, FIVE)).toEqual({ due: 7, batches: 2 });
  });

  it('gives its slots back when it fails, and says why', async () => {
    await expect(probeBatch(without('record_observations'), FIVE)).rejects.toThrow('record observations');
    world.time += 1_000;
    expect(await countBatches(world.context, FIVE)).toEqual({ due: 12, batches: 3 });
  });

  it('is not asked for where a host could not be asked', async () => {
    const paused = new Date(world.time + 60_000).toISOString();
    const queues = world.context.db.from('host_queues');
    const peace = { next_due_at: paused, not_before: paused };
    await queues.update(peace).in('host', ['h1.example.com', 'h2.example.com']);
    expect(await countBatches(world.context, FIVE)).toEqual({ due: 10, batches: 2 });
    world.time += 60_000;
    expect(await countBatches(world.context, FIVE)).toEqual({ due: 12, batches: 3 });
  });

  it('is not asked for where one host owes more than can be asked of it', async () => {
    world.items = Array.from({ length: 20 }, (_, index) => item(`http://big.example.com/paid?${index}`));
    await discover(world.context);
    world.time += 30 * 60_000;
    const manners = createManners({ perHostPerSecond: 1 });
    const limits = { ...FIVE, batch: 100, deadlineSeconds: 3 };
    // Twelve hosts with an endpoint each, and three of the big one.
    expect(await countBatches({ ...world.context, manners }, limits)).toEqual({ due: 15, batches: 1 });
  });

  it('counts slots again whose worker died, once their lease ran out', async () => {
    const dead = without('record_observations', 'release_leases');
    await expect(probeBatch(dead, FIVE)).rejects.toThrow('record observations');
    expect(await countBatches(world.context, FIVE)).toEqual({ due: 7, batches: 2 });
    world.time += (FIVE.leaseSeconds + 1) * 1000;
    expect((await countBatches(world.context, FIVE)).due).toBeGreaterThanOrEqual(12);
  });
});

describe('a sweep in process', () => {
  it('goes on until nothing is due', async () => {
    expect(await probeDue(world.context, FIVE)).toMatchObject({ batches: 3, claimed: 12, recorded: 12 });
    expect(await countBatches(world.context, FIVE)).toEqual({ due: 0, batches: 0 });
    expect(await probeDue(world.context, FIVE)).toMatchObject({ claimed: 0, recorded: 0 });
  });

  it('begins no batch when the next minute is near', async () => {
    let calls = 0;
    // Every look at the clock is 20 seconds after the last.
    const now = () => world.time + 20_000 * calls++;
    const summary = await probeDue({ ...world.context, now }, FIVE);
    expect(summary.batches).toBe(1);
    expect(await countBatches(world.context, FIVE)).toEqual({ due: 7, batches: 2 });
  });

  it('does not claim again and again what gets nowhere', async () => {
    await expect(probeDue(without('record_observations'), FIVE)).rejects.toThrow('record observations');
    expect(world.asked).toHaveLength(5);
  });
});
