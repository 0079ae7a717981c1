import { InngestTestEngine } from '@inngest/test';
import { Inngest } from 'inngest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { discover } from '../discovery/discover.ts';
import { directoryDue } from './events.ts';
import { createInngestApplication } from './inngest-application.ts';
import { JOBS } from '../jobs.ts';
import { challenge, createWorld, item, type World } from '../testing/world.ts';

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
const { functions } = createInngestApplication(client, () => world.context, { maxConcurrentBatches: 4 });

function engine(id: string, options: Omit<InngestTestEngine.Options, 'function'> = {}): InngestTestEngine {
  const found = functions.find((candidate) => candidate.id() === id);
  if (!found) throw new Error(`no function ${id}`);
  return new InngestTestEngine({ function: found, ...options });
}

describe('the jobs as Inngest functions', () => {
  it('match the jobs of the in-process scheduler and their cron expressions', () => {
    const crons = functions.flatMap((fn) => {
      // A scheduled function has its cron expression in its options. Inngest declares no type for these options.
      const { triggers } = fn.opts as { triggers: readonly { readonly cron?: string }[] };
      return triggers.flatMap(({ cron }) => (cron === undefined ? [] : [[fn.id(), cron]]));
    });
    expect(crons).toEqual(JOBS.map((job) => [job.id, job.cron]));
  });

  it('read the directory named in the event', async () => {
    world.items = [item('http://read.example.com/paid')];
    const [directory] = world.context.directories;
    const event = directoryDue.create({ key: '1', directory: directory?.name ?? '' });
    const { result, error } = await engine('read-directory', { events: [event] }).execute();
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ accepted: 1, complete: true, paused: false });
  });

  it.each([
    ['until the directory is read', [10_000, 20_000, 23_000], 3],
    ['until the directory requests a pause', [10_000, 10_000, 23_000], 2],
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

  it('probe and record a batch in one step', async () => {
    world.handlers.set('/paid', challenge);
    world.items = [item('http://batch.example.com/paid')];
    await discover(world.context);
    world.time += 30 * 60_000;
    const { result, ctx, error } = await engine('probe-batch').execute();
    expect(error).toBeUndefined();
    expect(result).toMatchObject({
      claimed: world.requestedUrls.length,
      recorded: world.requestedUrls.length,
    });
    expect(world.requestedUrls).toContain('http://batch.example.com/paid');
    expect(ctx.step.run).toHaveBeenCalledTimes(1);
  });

  it('count due slots and request batches in two steps', async () => {
    world.time += 60 * 60_000;
    const counted = await engine('probe').executeStep('count due slots');
    expect(counted.result).toMatchObject({ due: 2, batches: 1 });
    const run = await engine('probe', {
      steps: [
        { id: 'count due slots', handler: () => ({ due: 1200, batches: 3 }) },
        { id: 'request batches', handler: () => ({ ids: ['1', '2', '3'] }) },
      ],
    }).execute();
    expect(run.result).toEqual({ due: 1200, batches: 3 });
    expect(world.requestedUrls).toEqual([]);
  });

  it('score in one step per batch, up to the maximum per run', async () => {
    const failures = [{ endpointId: 'odd', reason: 'why' }];
    const handler = () => ({ more: true, summary: { scored: 499, changed: 1, failed: 1, failures } });
    const steps = Array.from({ length: 240 }, (_, index) => ({ id: `score batch ${index + 1}`, handler }));
    const { result } = await engine('score', { steps }).execute();
    expect(result).toMatchObject({ scored: 119_760, changed: 240, failed: 240 });
    // Only the first ten failures are in the result that Inngest stores.
    expect(result).toHaveProperty('failures.length', 10);
  });

  describe('refresh the search in one step per batch', () => {
    const refresh = (more: (number: number) => boolean) => {
      const embed = (number: number) => ({ embedded: 63, refused: ['hash'], more: more(number) });
      const count = { counted: 50, changed: 1 };
      const steps = [
        ...Array.from({ length: 60 }, (_, index) => ({
          id: `embed batch ${index + 1}`,
          handler: () => embed(index + 1),
        })),
        ...Array.from({ length: 40 }, (_, index) => ({
          id: `count batch ${index + 1}`,
          handler: () => count,
        })),
      ];
      return engine('search', { steps }).execute();
    };

    it('up to the maximum number of both per run', async () => {
      expect((await refresh((number) => number < 50)).result).toEqual({
        ...{ embedded: 3150, refused: 50, firstRefused: 'hash' },
        ...{ counted: 1500, changed: 30 },
      });
    });

    it('without counts while more texts are pending', async () => {
      const { result } = await refresh(() => true);
      expect(result).toMatchObject({ embedded: 3150, counted: 0, changed: 0 });
    });
  });

  it('record the statistics of the day', async () => {
    const { result, error } = await engine('statistics').execute();
    expect(error).toBeUndefined();
    expect(result).toEqual({ recorded: true });
  });

  it('maintain the partitions', async () => {
    const { result, error } = await engine('maintain').execute();
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ dropped: 0 });
  });

  it.each([
    ['until no expired rows are left', 3, { rollups: 15_000, texts: 9 }],
    ['up to the maximum number of steps', 11, { rollups: 50_000, texts: 30, more: true }],
  ])('maintain in several steps, %s', async (_, last, expected) => {
    const steps = Array.from({ length: last }, (_step, index) => ({
      id: `maintain part ${index + 1}`,
      handler: () => ({ rollups: 5_000, texts: 3, ...(index + 1 < last ? { more: true } : {}) }),
    }));
    expect((await engine('maintain', { steps }).execute()).result).toMatchObject(expected);
  });
});
