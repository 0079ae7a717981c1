import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { recheckMisses, RECHECK_INTERVAL_SECONDS, releaseAbandonedLeases } from './recheck-misses.ts';
import { discover } from '../discovery/discover.ts';
import { createHostRateLimiter } from './host-rate-limiter.ts';
import { JOB } from '../jobs.ts';
import { probeBatch } from './probe-due.ts';
import { startApplication } from '../testing/inngest/inngest-application.ts';
import { createWorld, item, type World } from '../testing/world.ts';

const MINUTE = 60_000;
const keys = createKeys();
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
  world.handlers.set('/broken', (response) => response.writeHead(500).end());
  world.items = Array.from({ length: 30 }, (_, index) => item(`http://m${index}.example.com/broken`));
  await discover(world.context);
  world.time += 30 * MINUTE;
});
afterEach(async () => {
  await world.context.db.from('schedules').delete().neq('endpoint_id', '');
  await world.context.db.from('leases').delete().neq('owner', '-');
  await world.close();
});

/**
 * Runs a batch in which all 30 endpoints fail, then calls `recheck` every ten seconds of virtual time for two minutes.
 * Returns the seconds from the failed probe to each recheck.
 */
async function measureRechecks(recheck: () => Promise<unknown>): Promise<readonly number[]> {
  const missedAt = world.time;
  await probeBatch(world.context);
  expect(world.requestedUrls).toHaveLength(30);
  const seconds: number[] = [];
  while (world.time < missedAt + 2 * MINUTE) {
    const before = world.requestedUrls.length;
    await recheck();
    seconds.push(...world.requestedUrls.slice(before).map(() => (world.time - missedAt) / 1000));
    world.time += RECHECK_INTERVAL_SECONDS * 1000;
  }
  return seconds;
}

describe('a miss', () => {
  it('is rechecked within a minute by the in-process scheduler', async () => {
    const { everySeconds, run } = JOB.recheck;
    expect(everySeconds).toBe(RECHECK_INTERVAL_SECONDS);
    const seconds = await measureRechecks(() => run(world.context));
    // Each endpoint is rechecked once, not immediately and not later than a minute after the failed probe.
    expect(seconds).toHaveLength(30);
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(20);
    expect(Math.max(...seconds)).toBeLessThan(60);
    const { data } = await world.context.db
      .from('endpoint_states')
      .select('liveness')
      .eq('last_outcome', 'server-error')
      .eq('liveness', 'down');
    expect(data).toHaveLength(30);
  });

  it('is rechecked within a minute through Inngest', async () => {
    const application = await startApplication(() => world.context);
    await application.register();
    const { inngest } = application;
    const started = world.time;
    expect((await inngest.run('touchstone-recheck')).output).toEqual({ runs: 6 });
    const delays = inngest.events.map((event) => (event.ts ?? 0) - started);
    expect(delays).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000]);
    const [event] = inngest.events;
    const seconds = await measureRechecks(async () => {
      const run = await inngest.run('touchstone-recheck-misses', event);
      expect(run.failed).toBe(false);
    });
    expect(seconds).toHaveLength(30);
    expect(Math.max(...seconds)).toBeLessThan(60);
    await application.close();
  });
});

describe('recheckMisses', () => {
  it('starts before a batch that uses the whole rate limit of this process', async () => {
    await probeBatch(world.context);
    world.items = Array.from({ length: 150 }, (_, index) => item(`http://busy${index}.example.com/paid`));
    world.handlers.set('/paid', (response) => response.writeHead(200).end());
    await discover(world.context);
    world.time += 50_000;
    // Makes the scheduled slots of the busy hosts due now, and those of the hosts with a miss due in ten minutes.
    const setDue = async (hosts: string, time: number): Promise<void> => {
      const at = new Date(time).toISOString();
      await world.context.db.from('schedules').update({ next_probe_at: at }).like('host', hosts);
      await world.context.db.from('host_queues').update({ next_due_at: at }).like('host', hosts);
    };
    await setDue('busy%', world.time);
    await setDue('m%', world.time + 10 * MINUTE);
    const context = {
      ...world.context,
      rateLimiter: createHostRateLimiter({ perHostPerSecond: 1000, perSecond: 25 }),
    };
    const probing = probeBatch(context);
    await expect.poll(() => world.requestedUrls.length, { timeout: 30_000 }).toBeGreaterThan(40);
    expect(await recheckMisses(context)).toMatchObject({ claimed: 30, recorded: 30, released: 0 });
    expect(await probing).toMatchObject({ recorded: 150, released: 0 });
    const lastRecheck = world.requestedUrls.findLastIndex((url) => url.endsWith('/broken'));
    expect(world.requestedUrls.slice(lastRecheck + 1).length).toBeGreaterThan(0);
  });

  it('claims no scheduled slots', async () => {
    expect(await recheckMisses(world.context)).toMatchObject({ claimed: 0 });
    expect(world.requestedUrls).toEqual([]);
    expect(await probeBatch(world.context)).toMatchObject({ claimed: 30 });
  });

  it('keeps its leases when a concurrent batch fails', async () => {
    await probeBatch(world.context);
    world.time += 50_000;
    const released = Promise.withResolvers<unknown>();
    world.handlers.set('/broken', (response) => {
      void released.promise.then(() => response.writeHead(500).end());
    });
    const rechecking = recheckMisses(world.context);
    await expect.poll(() => world.requestedUrls.length, { timeout: 30_000 }).toBeGreaterThan(30);
    released.resolve(await world.context.db.rpc('release_leases', { p_owner: world.context.owner }));
    expect(await rechecking).toMatchObject({ claimed: 30, recorded: 30, dropped: 0 });
  });

  it('repeats the rechecks of a killed process as soon as the next one has started', async () => {
    await probeBatch(world.context);
    world.time += 50_000;
    let probes = 0;
    const prober = () => {
      probes += 1;
      return new Promise<never>(() => undefined);
    };
    void recheckMisses({ ...world.context, prober });
    await expect.poll(() => probes, { timeout: 30_000 }).toBe(30);
    world.time += 1_000;
    expect(await recheckMisses(world.context)).toMatchObject({ claimed: 0 });
    await releaseAbandonedLeases(world.context);
    expect(await recheckMisses(world.context)).toMatchObject({ claimed: 30, recorded: 30 });
  });
});
