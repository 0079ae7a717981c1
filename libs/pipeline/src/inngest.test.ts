import { InngestTestEngine } from '@inngest/test';
import { Inngest } from 'inngest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { discover } from './discover.ts';
import { directoryDue } from './inngest-events.ts';
import { inngestApplication } from './inngest.ts';
import { JOBS } from './jobs.ts';
import { challenge, createWorld, item, type World } from './testing/world.ts';

const keys = createKeys();
let database: EmbeddedDatabase;
let world: World;
beforeAll(async () => {
  database = await startMigrated({ keys });
});
afterAll(() => database.close());
beforeEach(async () => {
  world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, 10, 1));
});
afterEach(() => world.close());

const client = new Inngest({ id: 'touchstone', isDev: true });
const { functions } = inngestApplication(client, () => world.context, { batchesAtOnce: 4 });

function engine(id: string, options: Omit<InngestTestEngine.Options, 'function'> = {}): InngestTestEngine {
  const found = functions.find((candidate) => candidate.id() === id);
  if (!found) throw new Error(`no function ${id}`);
  return new InngestTestEngine({ function: found, ...options });
}

describe('the jobs as Inngest functions', () => {
  it('are the jobs of the scheduler in process, at the same times', () => {
    const crons = functions.flatMap((fn) => {
      // Of a function of any kind nothing is typed; a cron job has its expression here.
      const { triggers } = fn.opts as { triggers: readonly { readonly cron?: string }[] };
      return triggers.flatMap(({ cron }) => (cron === undefined ? [] : [[fn.id(), cron]]));
    });
    expect(crons).toEqual(JOBS.map((job) => [job.id, job.cron]));
  });

  it('read the directory that an event names', async () => {
    world.items = [item('http://read.example.com/paid')];
    const [directory] = world.context.directories;
    const event = directoryDue.create({ key: '1', directory: directory?.name ?? '' });
    const { result, error } = await engine('read-directory', { events: [event] }).execute();
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ accepted: 1, complete: true, paused: false });
  });

  it.each([
    ['until the directory was read', [10_000, 20_000, 23_000], 3],
    ['until it is asked to wait', [10_000, 10_000, 23_000], 2],
  ])('read on %s', async (_, items, parts) => {
    const steps = items.map((read, index) => ({
      id: `read part ${index + 1}`,
      handler: () => ({ paused: index < 2, items: read, part: index + 1 }),
    }));
    const event = directoryDue.create({ key: '1', directory: 'any' });
    const { result, error } = await engine('read-directory', { events: [event], steps }).execute();
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ part: parts });
  });

  it('probe a batch and record it in one step', async () => {
    world.answers.set('/paid', challenge);
    world.items = [item('http://batch.example.com/paid')];
    await discover(world.context);
    world.time += 30 * 60_000;
    const { result, ctx, error } = await engine('probe-batch').execute();
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ claimed: world.asked.length, recorded: world.asked.length });
    expect(world.asked).toContain('http://batch.example.com/paid');
    expect(ctx.step.run).toHaveBeenCalledTimes(1);
  });

  it('count what is due before they ask for batches, in two steps', async () => {
    world.time += 60 * 60_000;
    const counted = await engine('sweep').executeStep('count what is due');
    expect(counted.result).toEqual({ due: 2, batches: 1 });
    const run = await engine('sweep', {
      steps: [
        { id: 'count what is due', handler: () => ({ due: 1200, batches: 3 }) },
        { id: 'ask for batches', handler: () => ({ ids: ['1', '2', '3'] }) },
      ],
    }).execute();
    expect(run.result).toEqual({ due: 1200, batches: 3 });
    expect(world.asked).toEqual([]);
  });

  it('score in as many steps as there are batches, and no more than one run may have', async () => {
    const full = { scored: 499, changed: 1, failures: [{ endpointId: 'odd', reason: 'why' }], more: true };
    const handler = () => full;
    const steps = Array.from({ length: 70 }, (_, index) => ({ id: `score batch ${index + 1}`, handler }));
    const { result } = await engine('score', { steps }).execute();
    expect(result).toMatchObject({ scored: 34_930, changed: 70, failed: 70 });
    // What Inngest keeps of a run is bounded too.
    expect(result).toHaveProperty('failures.length', 10);
  });

  it('keep the partitions', async () => {
    const { result, error } = await engine('maintain').execute();
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ dropped: 0 });
  });
});
