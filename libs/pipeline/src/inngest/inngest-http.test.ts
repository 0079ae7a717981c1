import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PipelineContext } from '../context.ts';
import { discover } from '../discovery/discover.ts';
import { createFailingFetch } from '../testing/failing-fetch.ts';
import { startApplication, type Application } from '../testing/inngest/inngest-application.ts';
import type { InngestServer } from '../testing/inngest/inngest-server.ts';
import { challenge, useWorld, item } from '../testing/world.ts';

const world = useWorld();
const HALF_HOUR = 30 * 60_000;
/** Maximum duration of a step that reads a directory, in milliseconds. A request on Vercel ends after 300,000. */
const STEP_MS = 240_000;

let application: Application;
let inngest: InngestServer;
let owners = 0;
/** Members that replace members of the context of the test world in the following steps. */
let overrides: Partial<PipelineContext>;
/**
 * Milliseconds by which each step advances the world's clock. The rate limit of a host allows no second claim at the
 * same time, so tests with several claims need a clock that advances.
 */
let tick: number;
beforeEach(async () => {
  overrides = {};
  tick = 0;
  // The job counts the due slots of all hosts, so the endpoints of earlier tests are deleted.
  await world.clear();
  application = await startApplication(() => {
    owners += 1;
    world.time += tick;
    return { ...world.context, owner: `inngest-${owners}`, ...overrides };
  });
  ({ inngest } = application);
  expect(await application.register()).toBe(200);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await application.close();
});

/** Returns the URL of an endpoint with its own host, so that the rate limit per host does not apply. */
const toResource = (index: number): string => world.toUrl('/paid', `h${index}`);

/**
 * Adds endpoints that respond with a payment challenge to the catalog, and advances the time until all of them are due.
 */
async function list(count: number): Promise<readonly string[]> {
  world.handlers.set('/paid', challenge);
  const resources = Array.from({ length: count }, (_, index) => toResource(index));
  world.items = resources.map((address) => item(address));
  await discover(world.context);
  world.time += HALF_HOUR;
  return resources;
}

/** Counts the rows of a table. Leases of rechecks do not count: on a busy machine a probe may fail and be rechecked. */
async function countRows(table: 'leases' | 'observations'): Promise<number | null> {
  const rows = world.context.db.from(table).select('endpoint_id', { count: 'exact', head: true });
  return (await rows.eq('is_recheck', false).throwOnError()).count;
}

/** Makes calls of the database function that records observations fail. */
function failRecording(times?: number): void {
  tick = 1_000;
  overrides = { db: world.connect(createFailingFetch(['record_observations'], times)) };
}

describe('probing', () => {
  it('has one run per batch, and its steps return counts only', async () => {
    const due = await list(501);
    const counted = await inngest.run('touchstone-probe');
    expect(counted.output).toMatchObject({ due: 501, batches: 2 });
    const batches = await inngest.drain();
    expect(batches.map(({ functionId }) => functionId)).toEqual(Array(2).fill('touchstone-probe-batch'));
    expect([...world.requestedUrls].sort()).toEqual([...due].sort());
    expect(await countRows('observations')).toBe(501);
    expect(await countRows('leases')).toBe(0);
    expect((await inngest.run('touchstone-probe')).output).toMatchObject({ due: 0, batches: 0 });

    const score = await inngest.run('touchstone-score');
    expect(score.output).toMatchObject({ scored: 501, changed: 501, failed: 0 });
    // One step queues old snapshots, two steps score one batch each, and one step refreshes the statistics.
    expect(score.steps).toHaveLength(4);
    expect(new Set(world.changedIds).size).toBe(501);
    expect((await inngest.run('touchstone-score')).output).toMatchObject({ scored: 0, changed: 0 });
  });

  it('changes nothing else when every request is delivered twice and an event again', async () => {
    const due = await list(40);
    inngest.deliveries = 2;
    await inngest.run('touchstone-probe');
    expect(inngest.events).toHaveLength(1);
    await inngest.drain();
    const [event] = inngest.events;
    const again = await inngest.run('touchstone-probe-batch', event);
    expect(again).toMatchObject({ failed: false, output: { claimed: 0, recorded: 0 } });
    expect([...world.requestedUrls].sort()).toEqual([...due].sort());
    expect(await countRows('observations')).toBe(40);
    expect(await countRows('leases')).toBe(0);
    await inngest.run('touchstone-score');
    expect(world.changedIds.length).toBeGreaterThanOrEqual(40);
    expect(new Set(world.changedIds).size).toBe(world.changedIds.length);
  });

  it('retries a batch that could not be recorded, with the same slots', async () => {
    await list(20);
    await inngest.run('touchstone-probe');
    failRecording(1);
    const [batch] = await inngest.drain();
    expect(batch).toMatchObject({ failed: false, errors: 1 });
    expect(await countRows('observations')).toBe(20);
    expect(await countRows('leases')).toBe(0);
  });

  it('releases its slots when all retries fail', async () => {
    await list(3);
    await inngest.run('touchstone-probe');
    failRecording();
    const [batch] = await inngest.drain();
    expect(batch).toMatchObject({ failed: true, errors: 3 });
    overrides = {};
    expect(await countRows('leases')).toBe(0);
    expect((await inngest.run('touchstone-probe')).output).toMatchObject({ due: 3, batches: 1 });
    await inngest.drain();
    expect(await countRows('observations')).toBe(3);
  });
});

describe('discovery', () => {
  it('has one run per directory', async () => {
    world.items = [item(toResource(0)), item(toResource(1)), item('ftp://files.example.com/')];
    const cron = await inngest.run('touchstone-discover');
    expect(cron.output).toEqual({ directories: 1 });
    inngest.deliveries = 2;
    const [read] = await inngest.drain();
    expect(read).toMatchObject({ functionId: 'touchstone-read-directory', failed: false });
    const { data } = await world.context.db.from('endpoints').select('id');
    expect(data).toHaveLength(2);
  });

  it('ends a step before the time limit of the platform, and leaves the rest to the next run', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms === STEP_MS ? 100 : ms));
    // A directory that accepts connections and never responds.
    const fetch = (_: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) =>
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      );
    overrides = { fetch };
    await inngest.run('touchstone-discover');
    const [read] = await inngest.drain();
    expect(read).toMatchObject({
      failed: false,
      errors: 0,
      steps: ['read part 1'],
      output: { paused: true },
    });
    expect(read?.output).toHaveProperty('note', expect.stringContaining('stopped'));
  });

  it('reads no directory that is not configured', async () => {
    const event = {
      name: 'touchstone/directory.due',
      data: { key: '1', directory: world.context.directories[0]?.url },
    };
    const run = await inngest.run('touchstone-read-directory', event);
    expect(run).toMatchObject({ failed: true, errors: 1 });
  });
});
