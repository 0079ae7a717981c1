import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { confirmMisses, LOOK_EVERY_SECONDS, releaseAbandoned } from './confirm-misses.ts';
import { discover } from './discover.ts';
import { createManners } from './manners.ts';
import { JOB } from './jobs.ts';
import { probeBatch } from './probe-batch.ts';
import { startApplication } from './testing/inngest-application.ts';
import { createWorld, item, type World } from './testing/world.ts';

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
  world.answers.set('/broken', (response) => response.writeHead(500).end());
  world.items = Array.from({ length: 30 }, (_, index) => item(`http://m${index}.example.com/broken`));
  await discover(world.context);
  world.time += 30 * MINUTE;
});
afterEach(async () => {
  await world.context.db.from('schedules').delete().neq('endpoint_id', '');
  await world.context.db.from('leases').delete().neq('owner', '-');
  await world.close();
});

/** Seconds from the first to the second time that each URL was asked, when `look` looks every few seconds. */
async function secondsToSecondLook(look: () => Promise<unknown>): Promise<readonly number[]> {
  const missedAt = world.time;
  await probeBatch(world.context);
  expect(world.asked).toHaveLength(30);
  const seconds: number[] = [];
  while (world.time < missedAt + 2 * MINUTE) {
    const before = world.asked.length;
    await look();
    seconds.push(...world.asked.slice(before).map(() => (world.time - missedAt) / 1000));
    world.time += LOOK_EVERY_SECONDS * 1000;
  }
  return seconds;
}

describe('a miss', () => {
  it('is looked at again within a minute by a scheduler in process', async () => {
    const { everySeconds, run } = JOB.confirm;
    expect(everySeconds).toBe(LOOK_EVERY_SECONDS);
    const seconds = await secondsToSecondLook(() => run(world.context));
    // Once each, not at once, and not when the next sweep comes.
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

  it('is looked at again within a minute through Inngest', async () => {
    const application = await startApplication(() => world.context);
    await application.register();
    const { inngest } = application;
    const started = world.time;
    expect((await inngest.run('touchstone-confirm')).output).toEqual({ looks: 6 });
    const looks = inngest.events.map((event) => (event.ts ?? 0) - started);
    expect(looks).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000]);
    const [event] = inngest.events;
    const seconds = await secondsToSecondLook(async () => {
      const run = await inngest.run('touchstone-confirm-misses', event);
      expect(run.failed).toBe(false);
    });
    expect(seconds).toHaveLength(30);
    expect(Math.max(...seconds)).toBeLessThan(60);
    await application.close();
  });
});

describe('a look', () => {
  it('goes before a sweep that keeps this process at its pace', async () => {
    await probeBatch(world.context);
    world.items = Array.from({ length: 150 }, (_, index) => item(`http://busy${index}.example.com/paid`));
    world.answers.set('/paid', (response) => response.writeHead(200).end());
    await discover(world.context);
    world.time += 50_000;
    // The busy hosts are due now, and none of those with a miss.
    const dueAt = async (hosts: string, time: number): Promise<void> => {
      const at = new Date(time).toISOString();
      await world.context.db.from('schedules').update({ next_probe_at: at }).like('host', hosts);
      await world.context.db.from('host_queues').update({ next_due_at: at }).like('host', hosts);
    };
    await dueAt('busy%', world.time);
    await dueAt('m%', world.time + 10 * MINUTE);
    const context = { ...world.context, manners: createManners({ perHostPerSecond: 1000, perSecond: 25 }) };
    let isSweeping = true;
    const sweeping = probeBatch(context).finally(() => {
      isSweeping = false;
    });
    await expect.poll(() => world.asked.length).toBeGreaterThan(40);
    expect(await confirmMisses(context)).toMatchObject({ claimed: 30, recorded: 30, handedBack: 0 });
    expect(isSweeping).toBe(true);
    expect(await sweeping).toMatchObject({ recorded: 150, handedBack: 0 });
  }, 30_000);

  it('takes nothing that a sweep is for', async () => {
    expect(await confirmMisses(world.context)).toMatchObject({ claimed: 0 });
    expect(world.asked).toEqual([]);
    expect(await probeBatch(world.context)).toMatchObject({ claimed: 30 });
  });

  it('keeps what it holds when a sweep beside it fails', async () => {
    await probeBatch(world.context);
    world.time += 50_000;
    world.answers.set('/broken', (response) => {
      setTimeout(() => response.writeHead(500).end(), 300);
    });
    const look = confirmMisses(world.context);
    await expect.poll(() => world.asked.length).toBeGreaterThan(30);
    await world.context.db.rpc('release_leases', { p_owner: world.context.owner });
    expect(await look).toMatchObject({ claimed: 30, recorded: 30, dropped: 0 });
  });

  it('whose process was killed is made by the next one as soon as that has started', async () => {
    await probeBatch(world.context);
    world.time += 50_000;
    let asked = 0;
    const prober = () => {
      asked += 1;
      return new Promise<never>(() => undefined);
    };
    void confirmMisses({ ...world.context, prober });
    await expect.poll(() => asked).toBe(30);
    world.time += 1_000;
    expect(await confirmMisses(world.context)).toMatchObject({ claimed: 0 });
    await releaseAbandoned(world.context);
    expect(await confirmMisses(world.context)).toMatchObject({ claimed: 30, recorded: 30 });
  });
});
