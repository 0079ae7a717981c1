import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { connect } from '@touchstone/store';
import { discover } from '../discovery/discover.ts';
import { countBatches, DEFAULT_BATCH_LIMITS, probeBatch, probeDue } from './probe-due.ts';
import { createFailingFetch } from '../testing/failing-fetch.ts';
import { createHostRateLimiter } from './host-rate-limiter.ts';
import { challenge, createWorld, item, type World } from '../testing/world.ts';

const keys = createKeys();
const FIVE = { ...DEFAULT_BATCH_LIMITS, batchSize: 5 };
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
  world.handlers.set('/paid', challenge);
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

/** Creates a context in which calls of the given database functions fail. */
function createFailingContext(...functions: readonly string[]) {
  const db = connect({ url: database.url, key: keys.secret, fetch: createFailingFetch(functions) });
  return { ...world.context, db };
}

describe('a batch', () => {
  it('is counted by the number of due slots', async () => {
    expect(await countBatches(world.context, FIVE)).toMatchObject({ due: 12, batches: 3 });
    await probeBatch(world.context, FIVE);
    expect(await countBatches(world.context, FIVE)).toMatchObject({ due: 7, batches: 2 });
  });

  it('releases its slots when it fails, and rejects with the reason', async () => {
    await expect(probeBatch(createFailingContext('record_observations'), FIVE)).rejects.toThrow(
      'record observations',
    );
    world.time += 1_000;
    expect(await countBatches(world.context, FIVE)).toMatchObject({ due: 12, batches: 3 });
  });

  it('is not counted for hosts that cannot be probed yet', async () => {
    const paused = new Date(world.time + 60_000).toISOString();
    const queues = world.context.db.from('host_queues');
    const pause = { next_due_at: paused, not_before: paused };
    await queues.update(pause).in('host', ['h1.example.com', 'h2.example.com']);
    expect(await countBatches(world.context, FIVE)).toMatchObject({ due: 10, batches: 2 });
    world.time += 60_000;
    expect(await countBatches(world.context, FIVE)).toMatchObject({ due: 12, batches: 3 });
  });

  it('is not counted for slots that exceed the rate limit of their host', async () => {
    world.items = Array.from({ length: 20 }, (_, index) => item(`http://big.example.com/paid?${index}`));
    await discover(world.context);
    world.time += 30 * 60_000;
    const rateLimiter = createHostRateLimiter({ perHostPerSecond: 1 });
    const limits = { ...FIVE, batchSize: 100, deadlineSeconds: 3 };
    // Twelve slots of hosts with one endpoint each, and three slots of the big host because of its rate limit.
    expect(await countBatches({ ...world.context, rateLimiter }, limits)).toMatchObject({
      due: 15,
      batches: 1,
    });
  });

  it('counts the slots of a dead worker again after their lease expired', async () => {
    const dead = createFailingContext('record_observations', 'release_leases');
    await expect(probeBatch(dead, FIVE)).rejects.toThrow('record observations');
    expect(await countBatches(world.context, FIVE)).toMatchObject({ due: 7, batches: 2 });
    world.time += (FIVE.leaseSeconds + 1) * 1000;
    expect((await countBatches(world.context, FIVE)).due).toBeGreaterThanOrEqual(12);
  });
});

describe('probeDue', () => {
  it('probes every endpoint within an interval after the clock was three hours ahead', async () => {
    const right = world.time;
    world.time += 3 * HOUR_MS;
    await probeDue(world.context);
    world.time = right + MINUTE_MS;
    world.requestedUrls.length = 0;
    for (let minute = 0; minute <= 30; minute += 1, world.time += MINUTE_MS) await probeDue(world.context);
    expect(new Set(world.requestedUrls).size).toBe(12);
  });

  it('counts slots that are due after the clock was three hours ahead', async () => {
    world.time += 3 * HOUR_MS;
    await probeDue(world.context);
    world.time -= 3 * HOUR_MS;
    expect(await countBatches(world.context)).toMatchObject({ due: 0, batches: 0 });
    world.time += 30 * MINUTE_MS;
    expect(await countBatches(world.context)).toMatchObject({ due: 12, batches: 1 });
  });

  it('reports one correction after the clock was set back', async () => {
    world.time += 3 * HOUR_MS;
    expect(await probeDue(world.context)).toMatchObject({ clockCorrections: 0 });
    world.time -= 3 * HOUR_MS;
    expect(await probeDue(world.context)).toMatchObject({ clockCorrections: 1 });
    expect(await probeDue(world.context)).toMatchObject({ clockCorrections: 0 });
  });

  it('corrects the times after the clock was ahead only during a claim', async () => {
    const right = world.time;
    const { prober } = world.context;
    const setBack: typeof prober = (...call) => {
      world.time = right;
      return prober(...call);
    };
    world.time += 3 * HOUR_MS;
    expect(await probeDue({ ...world.context, prober: setBack })).toMatchObject({ clockCorrections: 1 });
  });

  it('corrects the times after the clock was ahead only during the recording', async () => {
    const right = world.time;
    const { prober } = world.context;
    const setForward: typeof prober = (...call) => {
      world.time = right + 3 * HOUR_MS;
      return prober(...call);
    };
    await probeDue({ ...world.context, prober: setForward });
    world.time = right + MINUTE_MS;
    expect(await probeDue(world.context)).toMatchObject({ clockCorrections: 1 });
  });

  it('continues until no slot is due', async () => {
    expect(await probeDue(world.context, FIVE)).toMatchObject({ batches: 3, claimed: 12, recorded: 12 });
    expect(await countBatches(world.context, FIVE)).toMatchObject({ due: 0, batches: 0 });
    expect(await probeDue(world.context, FIVE)).toMatchObject({ claimed: 0, recorded: 0 });
  });

  it('starts no further batch after 45 seconds', async () => {
    let calls = 0;
    // A clock that advances by 20 seconds each time it is read.
    const now = () => world.time + 20_000 * calls++;
    const summary = await probeDue({ ...world.context, now }, FIVE);
    expect(summary.batches).toBe(1);
    expect(await countBatches(world.context, FIVE)).toMatchObject({ due: 7, batches: 2 });
  });

  it('does not claim the same slots again after a failure', async () => {
    await expect(probeDue(createFailingContext('record_observations'), FIVE)).rejects.toThrow(
      'record observations',
    );
    expect(world.requestedUrls).toHaveLength(5);
  });
});
