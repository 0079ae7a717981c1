import { InngestTestEngine } from '@inngest/test';
import { Inngest } from 'inngest';
import { describe, expect, it } from 'vitest';
import type { PipelineContext } from '../context.ts';
import { directoryDue } from './discovery-functions.ts';
import { createInngestApplication } from './inngest-application.ts';
import { JOBS } from '../jobs.ts';

/** Creates an incomplete context. The tests replace the steps of the runs, so no other member is used. */
const openContext = () => ({ now: Date.now }) as PipelineContext;
const client = new Inngest({ id: 'touchstone', isDev: true });
const { functions } = createInngestApplication(client, openContext, { maxConcurrentBatches: 4 });

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

  it('score in one step per batch, up to the maximum per run', async () => {
    const failures = [{ endpointId: 'odd', reason: 'why' }];
    const handler = () => ({ more: true, scored: 499, changed: 1, failed: 1, failures });
    const batches = Array.from({ length: 240 }, (_, index) => ({ id: `score batch ${index + 1}`, handler }));
    const others = ['queue aged snapshots', 'refresh totals'].map((id) => ({ id, handler: () => null }));
    const steps = [...batches, ...others];
    const { result } = await engine('score', { steps }).execute();
    expect(result).toMatchObject({ scored: 119_760, changed: 240, failed: 240 });
    // Only the first ten failures are in the result that Inngest stores.
    expect(result).toHaveProperty('failures.length', 10);
  });

  it.each([
    ['until no expired rows are left', 3, { daily_rollups: 15_000, texts: 9 }],
    ['up to the maximum number of steps', 11, { daily_rollups: 50_000, texts: 30, more: true }],
  ])('maintain in several steps, %s', async (_, last, expected) => {
    const steps = Array.from({ length: last }, (_step, index) => ({
      id: `maintain part ${index + 1}`,
      handler: () => ({ daily_rollups: 5_000, texts: 3, ...(index + 1 < last ? { more: true } : {}) }),
    }));
    expect((await engine('maintain', { steps }).execute()).result).toMatchObject(expected);
  });
});
