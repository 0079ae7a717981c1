import { beforeEach, describe, expect, it } from 'vitest';
import { recheckMisses, RECHECK_INTERVAL_SECONDS, releaseAbandonedLeases, probeBatch } from './probe-due.ts';
import { discover } from '../discovery/discover.ts';
import { createHostRateLimiter } from '../host-rate-limiter.ts';
import { JOB } from '../jobs.ts';
import { startApplication } from '../testing/inngest/inngest-application.ts';
import { item, useWorld } from '../testing/world.ts';

const MINUTE = 60_000;
const POLL = { timeout: 30_000 };
const COUNT = 12;
const world = useWorld();

beforeEach(async () => {
  world.handlers.set('/broken', (response) => response.writeHead(503).end());
  world.items = Array.from({ length: COUNT }, (_, index) => item(world.toUrl('/broken', `m${index}`)));
  await discover(world.context);
  world.time += 30 * MINUTE;
});

/**
 * Runs a batch in which all endpoints fail, then calls `recheck` every ten seconds of virtual time for two minutes.
 * Each endpoint must be rechecked once, not immediately and not later than a minute after the failed probe.
 */
async function expectRechecksWithinMinute(recheck: () => Promise<unknown>): Promise<void> {
  const missedAt = world.time;
  await probeBatch(world.context);
  expect(world.requestedUrls).toHaveLength(COUNT);
  const seconds: number[] = [];
  while (world.time < missedAt + 2 * MINUTE) {
    const before = world.requestedUrls.length;
    await recheck();
    seconds.push(...world.requestedUrls.slice(before).map(() => (world.time - missedAt) / 1000));
    world.time += RECHECK_INTERVAL_SECONDS * 1000;
  }
  expect(seconds).toHaveLength(COUNT);
  expect(Math.min(...seconds)).toBeGreaterThanOrEqual(20);
  expect(Math.max(...seconds)).toBeLessThan(60);
}

describe('a miss', () => {
  it('is rechecked within a minute by the in-process scheduler', async () => {
    const { everySeconds, run } = JOB.recheck;
    expect(everySeconds).toBe(RECHECK_INTERVAL_SECONDS);
    await expectRechecksWithinMinute(() => run(world.context));
    const { data } = await world.context.db
      .from('endpoint_states')
      .select('liveness')
      .eq('last_failure->>error', 'http-503')
      .eq('liveness', 'down');
    expect(data).toHaveLength(COUNT);
  });

  it('is rechecked within a minute through Inngest', async () => {
    const application = await startApplication(() => world.context);
    const { inngest } = application;
    await application.register();
    const started = world.time;
    expect((await inngest.run('touchstone-recheck')).output).toEqual({ runs: 6 });
    const delays = inngest.events.map((event) => (event.ts ?? 0) - started);
    expect(delays).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000]);
    const [event] = inngest.events;
    await expectRechecksWithinMinute(async () => {
      expect((await inngest.run('touchstone-recheck-misses', event)).failed).toBe(false);
    });
    await application.close();
  });
});

describe('recheckMisses', () => {
  it('starts before a batch that uses the whole rate limit of this process', async () => {
    const BUSY = 60;
    await probeBatch(world.context);
    world.items = Array.from({ length: BUSY }, (_, index) => item(world.toUrl('/paid', `busy${index}`)));
    world.handlers.set('/paid', (response) => response.writeHead(200).end());
    await discover(world.context);
    world.time += 50_000;
    // Sets the time at which the scheduled slots of some hosts are due. The slots of the busy hosts are due now. The
    // slots of the hosts with a miss are due in ten minutes.
    const setDue = async (hosts: string, time: number): Promise<void> => {
      const at = new Date(time).toISOString();
      await world.context.db.from('schedules').update({ next_probe_at: at }).like('host', hosts);
      await world.context.db.from('host_queues').update({ next_due_at: at }).like('host', hosts);
    };
    await setDue(`busy%.${world.host}`, world.time);
    await setDue(`m%.${world.host}`, world.time + 10 * MINUTE);
    const rateLimiter = createHostRateLimiter({ perHostPerSecond: 1000, perSecond: 100 });
    const context = { ...world.context, rateLimiter };
    const probing = probeBatch(context);
    await expect.poll(() => world.requestedUrls.length, { ...POLL, interval: 5 }).toBeGreaterThan(COUNT + 5);
    expect(await recheckMisses(context)).toMatchObject({ claimed: COUNT, recorded: COUNT, released: 0 });
    expect(await probing).toMatchObject({ recorded: BUSY, released: 0 });
    const lastRecheck = world.requestedUrls.findLastIndex((url) => url.endsWith('/broken'));
    expect(world.requestedUrls.slice(lastRecheck + 1).length).toBeGreaterThan(0);
  });

  it('claims no scheduled slots', async () => {
    expect(await recheckMisses(world.context)).toMatchObject({ claimed: 0 });
    expect(await probeBatch(world.context)).toMatchObject({ claimed: COUNT });
  });

  it('keeps its leases when a concurrent batch fails', async () => {
    await probeBatch(world.context);
    world.time += 50_000;
    const released = Promise.withResolvers<unknown>();
    world.handlers.set('/broken', (response) => {
      void released.promise.then(() => response.writeHead(503).end());
    });
    const rechecking = recheckMisses(world.context);
    await expect.poll(() => world.requestedUrls.length, POLL).toBeGreaterThan(COUNT);
    released.resolve(
      await world.context.db.rpc('release_slots', { p_owner: world.context.owner, p_requeue: true }),
    );
    expect(await rechecking).toMatchObject({ claimed: COUNT, recorded: COUNT, dropped: 0 });
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
    await expect.poll(() => probes, POLL).toBe(COUNT);
    world.time += 1_000;
    expect(await recheckMisses(world.context)).toMatchObject({ claimed: 0 });
    await releaseAbandonedLeases(world.context);
    expect(await recheckMisses(world.context)).toMatchObject({ claimed: COUNT, recorded: COUNT });
  });
});
