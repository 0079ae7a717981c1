import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { discover } from '../discovery/discover.ts';
import { countBatches, DEFAULT_BATCH_LIMITS, probeBatch, probeDue } from './probe-due.ts';
import { createFailingFetch } from '../testing/failing-fetch.ts';
import { createHostRateLimiter } from '../host-rate-limiter.ts';
import { challenge, item, useWorld } from '../testing/world.ts';

const FIVE = { ...DEFAULT_BATCH_LIMITS, batchSize: 5 };
const world = useWorld();

beforeEach(async () => {
  // The function counts the due slots of all hosts, so the endpoints of earlier tests are deleted.
  await world.clear();
  world.handlers.set('/paid', challenge);
  world.items = Array.from({ length: 12 }, (_, index) => item(world.toUrl('/paid', `h${index}`)));
  await discover(world.context);
  world.time += 30 * MINUTE_MS;
});

/** Creates a context in which calls of the given database functions fail. */
const createFailingContext = (...functions: readonly string[]) => ({
  ...world.context,
  db: world.connect(createFailingFetch(functions)),
});
const count = () => countBatches(world.context, FIVE);

describe('a batch', () => {
  it('is counted by the number of due slots', async () => {
    expect(await count()).toMatchObject({ due: 12, batches: 3 });
    await probeBatch(world.context, FIVE);
    expect(await count()).toMatchObject({ due: 7, batches: 2 });
  });

  it('releases its slots when it fails, and rejects with the reason', async () => {
    const failing = probeBatch(createFailingContext('record_observations'), FIVE);
    await expect(failing).rejects.toThrow('record_observations');
    world.time += 1_000;
    expect(await count()).toMatchObject({ due: 12, batches: 3 });
  });

  it('is not counted for hosts that cannot be probed yet', async () => {
    const paused = new Date(world.time + 60_000).toISOString();
    const queues = world.context.db.from('host_queues').update({ next_due_at: paused, not_before: paused });
    await queues.in('host', [`h1.${world.host}`, `h2.${world.host}`]).throwOnError();
    expect(await count()).toMatchObject({ due: 10, batches: 2 });
    world.time += 60_000;
    expect(await count()).toMatchObject({ due: 12, batches: 3 });
  });

  it('is not counted for slots that exceed the rate limit of their host', async () => {
    world.items = Array.from({ length: 20 }, (_, index) => item(world.toUrl(`/paid?${index}`, 'big')));
    await discover(world.context);
    world.time += 30 * MINUTE_MS;
    const rateLimiter = createHostRateLimiter({ perHostPerSecond: 1 });
    const limits = { ...FIVE, batchSize: 100, deadlineSeconds: 3 };
    // The due slots are twelve slots of hosts with one endpoint each, and three slots of the big host. The rate limit
    // of the big host allows no more slots.
    const counted = await countBatches({ ...world.context, rateLimiter }, limits);
    expect(counted).toMatchObject({ due: 15, batches: 1 });
  });

  it('counts the slots of a dead worker again after their lease expired', async () => {
    const dead = createFailingContext('record_observations', 'release_slots');
    await expect(probeBatch(dead, FIVE)).rejects.toThrow('record_observations');
    expect(await count()).toMatchObject({ due: 7, batches: 2 });
    world.time += (FIVE.leaseSeconds + 1) * 1000;
    expect((await count()).due).toBeGreaterThanOrEqual(12);
  });
});

describe('probeDue', () => {
  it('continues until no slot is due', async () => {
    expect(await probeDue(world.context, FIVE)).toMatchObject({ batches: 3, claimed: 12, recorded: 12 });
    expect(await count()).toMatchObject({ due: 0, batches: 0 });
    expect(await probeDue(world.context, FIVE)).toMatchObject({ claimed: 0, recorded: 0 });
  });

  it('starts no further batch after 45 seconds', async () => {
    let calls = 0;
    // A clock that advances by 20 seconds each time it is read.
    const now = () => world.time + 20_000 * calls++;
    expect((await probeDue({ ...world.context, now }, FIVE)).batches).toBe(1);
    expect(await count()).toMatchObject({ due: 7, batches: 2 });
  });

  it('does not claim the same slots again after a failure', async () => {
    const failing = probeDue(createFailingContext('record_observations'), FIVE);
    await expect(failing).rejects.toThrow('record_observations');
    expect(world.requestedUrls).toHaveLength(5);
  });
});

describe('after the clock was three hours ahead', () => {
  it('probeDue probes every endpoint within an interval', async () => {
    const right = world.time;
    world.time += 3 * HOUR_MS;
    await probeDue(world.context);
    world.time = right;
    world.requestedUrls.length = 0;
    await probeDue(world.context);
    for (let minute = 0; minute < 30; minute += 10) {
      world.time += 10 * MINUTE_MS;
      await probeDue(world.context);
    }
    expect(new Set(world.requestedUrls).size).toBe(12);
  });

  it('countBatches counts the due slots', async () => {
    world.time += 3 * HOUR_MS;
    await probeDue(world.context);
    world.time -= 3 * HOUR_MS;
    expect(await countBatches(world.context)).toMatchObject({ due: 0, batches: 0 });
    world.time += 30 * MINUTE_MS;
    expect(await countBatches(world.context)).toMatchObject({ due: 12, batches: 1 });
  });
});
