import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { confirmMisses } from './confirm-misses.ts';
import { discover } from './discover.ts';
import { scoreChanged } from './score-changed.ts';
import { sweep } from './sweep.ts';
import { idOf, reportContextOf, soundReport } from './testing/reports.ts';
import { challenge, createWorld, item, type World } from './testing/world.ts';
import { trustReport } from './trust-report.ts';

const keys = createKeys();
const MINUTE = 60_000;
const HALF_HOUR = 30 * MINUTE;
let database: EmbeddedDatabase;
let world: World;
let worlds = 0;

beforeAll(async () => {
  database = await startMigrated({ keys });
});
afterAll(() => database.close());
beforeEach(() => open());
afterEach(() => world.close());

/** Two endpoints that answer alike at every moment; reports are bought on one of them. */
const PATHS = ['/bought', '/twin'] as const;
const url = (path: string): string => `http://w${worlds}.example.com${path}`;

async function open(): Promise<void> {
  worlds += 1;
  world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, 0, 1) + worlds * 1e9);
  const { prober } = world.context;
  // Both take the same time in one half hour, so that sums of milliseconds can be compared.
  const even = { ...world.context, prober: evenly(prober) };
  world = Object.assign(world, { context: even });
  world.items = PATHS.map((path) => item(url(path)));
  answer('up');
  await discover(world.context);
}

function evenly(prober: World['context']['prober']): World['context']['prober'] {
  return async (target) => {
    const probe = await prober(target);
    const latencyMs = 100 + (Math.floor(world.time / HALF_HOUR) % 50) * 10;
    return { ...probe, latencyMs: probe.latencyMs === null ? null : latencyMs };
  };
}

type State = 'up' | 'down' | 'dearer' | 'blocked';

function answer(state: State): void {
  for (const path of PATHS) {
    world.answers.set(path, (response, at) => {
      if (state === 'down') response.writeHead(500).end();
      else if (state === 'blocked') response.writeHead(403).end();
      else challenge(response, at, state === 'dearer' ? { amount: '90000' } : {});
    });
  }
}

const buy = async () => soundReport(await trustReport(reportContextOf(world), { resource: url('/bought') }));

/** Everything that is counted of an endpoint by the day, but second looks, which count in nothing. */
async function countedOf(path: string) {
  const { data } = await world.context.db
    .from('daily_rollups')
    .select(
      'day, probes, slots_due, slots_probed, due_seconds, scored, up, excluded, blocked, redirected, free, ' +
        'envelopes_pass, envelopes_warnings, envelopes_errors, envelopes_unpayable, latency_n, latency_sum_ms, ' +
        'latency_histogram',
    )
    .eq('endpoint_id', idOf(url(path)))
    .gt('probes', 0)
    .order('day');
  return data;
}

/** The same as its snapshot has it. */
async function shownOf(path: string) {
  await scoreChanged(world.context);
  const { data } = await world.context.db
    .from('snapshots')
    .select('uptime_30d, latency_ms, probes_30d, probed_per_day, confidence')
    .eq('endpoint_id', idOf(url(path)))
    .single();
  return data;
}

interface Step {
  readonly state: State;
  /** Milliseconds after the step began at which a report is bought, in order; the schedule asks at the end of a step. */
  readonly buys: readonly number[];
}

async function live({ state, buys }: Step): Promise<void> {
  const begun = world.time;
  answer(state);
  for (const after of buys) {
    world.time = begun + after;
    await buy();
  }
  world.time = begun + HALF_HOUR;
  await sweep(world.context);
  world.time += MINUTE;
  await confirmMisses(world.context);
  world.time = begun + HALF_HOUR;
}

describe('reports that are bought', () => {
  it('in an hour of outage take nothing from uptime, and in good times add nothing', async () => {
    const bought = Array.from({ length: 6 }, (_, i) => i * 5 * MINUTE);
    await live({ state: 'up', buys: [] });
    await live({ state: 'down', buys: bought });
    await live({ state: 'down', buys: bought });
    for (let step = 0; step < 4; step += 1) await live({ state: 'up', buys: bought });
    expect(await shownOf('/twin')).toMatchObject({ probes_30d: 7, uptime_30d: 71.4 });
    expect(await shownOf('/bought')).toEqual(await shownOf('/twin'));
    expect(await countedOf('/bought')).toEqual(await countedOf('/twin'));
  }, 60_000);

  it('at any time leave every figure as it is without them', async () => {
    const step = fc.record<Step>({
      state: fc.constantFrom('up', 'down', 'dearer', 'blocked'),
      buys: fc
        .array(fc.constantFrom(0, 1, 20_000, 6 * MINUTE, 20 * MINUTE, HALF_HOUR - 1, HALF_HOUR), {
          maxLength: 3,
        })
        .map((times) => times.toSorted((a, b) => a - b)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), async (steps) => {
        await world.close();
        await open();
        for (const one of steps) await live(one);
        expect(await countedOf('/bought')).toEqual(await countedOf('/twin'));
        expect(await shownOf('/bought')).toEqual(await shownOf('/twin'));
      }),
      { numRuns: 8 },
    );
  }, 120_000);

  it('before the schedule has asked for the first time count in nothing, and tell what was seen', async () => {
    const report = await buy();
    expect(report).toMatchObject({
      freshness: { live: true },
      advertised: { amountUsd: '0.010000' },
      stats: { probes: 0, up: 0 },
      recommendation: 'unverified',
    });
    expect(await countedOf('/bought')).toEqual([]);
  });

  it('leave a row where they saw something new, and none else', async () => {
    const seen = async () => {
      const { data } = await world.context.db
        .from('observations')
        .select('confirms')
        .eq('endpoint_id', idOf(url('/bought')))
        .order('at');
      return data?.map(({ confirms }) => confirms);
    };
    await live({ state: 'up', buys: [] });
    world.time += 6 * MINUTE;
    await buy();
    expect(await seen()).toEqual([false]);
    answer('dearer');
    for (let bought = 0; bought < 3; bought += 1) {
      world.time += 6 * MINUTE;
      expect((await buy()).advertised?.amountUsd).toBe('0.090000');
    }
    expect(await seen()).toEqual([false, true]);
  });
});
