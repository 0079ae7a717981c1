import { beforeEach, describe, expect, it } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { scoreBatch } from './score-batch.ts';
import { scoreChanged } from './score-changed.ts';
import { claimAndProbe } from '../probing/probe-due.ts';
import { challenge, useWorld, item } from '../testing/world.ts';

const world = useWorld();
const HALF_HOUR = 30 * 60_000;

beforeEach(() => world.clear());

/** Adds the given number of endpoints to the catalog, and returns their ids. */
async function list(count: number): Promise<readonly string[]> {
  world.handlers.set('/paid', challenge);
  world.items = Array.from({ length: count }, (_, i) => item(world.toUrl('/paid', `h${i}`)));
  await discover(world.context);
  const { data } = await world.context.db.from('endpoints').select('id').order('id').limit(1000);
  return (data ?? []).map(({ id }) => id);
}

async function listScored(): Promise<readonly string[]> {
  const { data } = await world.context.db.from('snapshots').select('endpoint_id').order('endpoint_id');
  return (data ?? []).map((row) => row.endpoint_id);
}

describe('an endpoint that cannot be scored', () => {
  it('does not prevent other scores when its stored data cannot be read', async () => {
    const [odd = '', ...others] = await list(6);
    const { db } = world.context;
    await db
      .from('endpoints')
      .update({ listed_options: [{ network: 'x' }] })
      .eq('id', odd);
    const { failures, ...counts } = await scoreBatch(world.context, 250);
    expect(counts).toEqual({ scored: 5, changed: 5, more: false });
    expect(failures).toMatchObject([{ endpointId: odd }]);
    expect(failures[0]?.reason).toContain('listedOptions');
    expect(await listScored()).toEqual(others);

    // With corrected data, the endpoint is scored successfully an hour later.
    await db.from('endpoints').update({ listed_options: [] }).eq('id', odd);
    expect(await scoreChanged(world.context)).toMatchObject({ scored: 0, failed: 0 });
    world.time += 2 * HALF_HOUR;
    expect(await scoreChanged(world.context)).toMatchObject({ scored: 1, failed: 0 });
  });

  it('does not prevent other scores when the database refuses its snapshot', async () => {
    const [odd = '', ...others] = await list(6);
    world.time += HALF_HOUR;
    await claimAndProbe(world.context);
    // Makes the mean latency exceed the integer range, so that the database refuses the snapshot.
    await world.context.db
      .from('daily_rollups')
      .update({ response_n: 1, response_sum_ms: 1e15 })
      .eq('endpoint_id', odd);
    const summary = await scoreChanged(world.context);
    expect(summary).toMatchObject({ scored: 5, changed: 5, failed: 1, failures: [{ endpointId: odd }] });
    expect(await listScored()).toEqual(others);
    expect(world.changedIds.length).toBe(5);
    expect(await scoreChanged(world.context)).toMatchObject({ scored: 0, failed: 0 });
  });
});

describe('a run', () => {
  it('ends after the maximum number of batches, each with its own time, and the next run continues', async () => {
    await list(300);
    // Each batch has up to 250 endpoints.
    const ticking = { ...world.context, now: () => (world.time += 1_000) };
    expect(await scoreChanged(ticking, { maxBatches: 1 })).toMatchObject({ scored: 250 });
    expect(await scoreChanged(ticking)).toMatchObject({ scored: 50 });
    const { data } = await world.context.db.from('snapshots').select('computed_at').limit(1000);
    expect(new Set((data ?? []).map(({ computed_at: at }) => at)).size).toBe(2);
  });

  it('shares the work with concurrent runs, and scores nothing twice', async () => {
    await list(300);
    const runs = await Promise.all([1, 2, 3].map(() => scoreChanged(world.context)));
    expect(runs.reduce((sum, run) => sum + run.scored, 0)).toBe(300);
  });

  /** Adds endpoints that have been probed many times, so that a further probe changes only counters. */
  async function listScoredEndpoints(count: number): Promise<void> {
    const ids = await list(count);
    world.time += HALF_HOUR;
    await claimAndProbe(world.context);
    await world.context.db.from('endpoint_states').update({ revision: 100 }).in('endpoint_id', ids);
    expect(await scoreChanged(world.context)).toMatchObject({ scored: count });
  }

  it('scores endpoints that wait because only counters changed only if it is complete', async () => {
    await listScoredEndpoints(3);
    world.time += HALF_HOUR;
    await claimAndProbe(world.context);
    expect(await scoreChanged(world.context)).toMatchObject({ scored: 0 });
    expect(await scoreChanged(world.context, { includesWaiting: true })).toMatchObject({ scored: 3 });
  });

  it('scores snapshots older than 19 hours again without a change', async () => {
    await list(3);
    expect(await scoreChanged(world.context)).toMatchObject({ scored: 3 });
    world.time += 38 * HALF_HOUR;
    expect(await scoreChanged(world.context)).toMatchObject({ scored: 3 });
    expect(await scoreChanged(world.context)).toMatchObject({ scored: 0 });
  });

  it('scores snapshots again within a day after a probe just before they are 19 hours old', async () => {
    await listScoredEndpoints(3);
    world.time += 38 * HALF_HOUR - 1_000;
    expect(await claimAndProbe(world.context)).toMatchObject({ recorded: 3 });
    world.time += 1_000;
    expect(await scoreChanged(world.context)).toMatchObject({ scored: 0 });
    world.time += 8 * HALF_HOUR;
    expect(await scoreChanged(world.context)).toMatchObject({ scored: 3 });
  });
});
