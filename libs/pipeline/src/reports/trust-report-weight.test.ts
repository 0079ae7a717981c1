import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { recheckMisses } from '../probing/probe-due.ts';
import { discover } from '../discovery/discover.ts';
import { scoreChanged } from '../scoring/score-changed.ts';
import { claimAndProbe } from '../probing/probe-due.ts';
import { toEndpointId, createTestReportContext, expectReport } from '../testing/reports.ts';
import { challenge, useWorld, item, type World } from '../testing/world.ts';
import { createTrustReport } from './trust-report.ts';

const world = useWorld();
const MINUTE = 60_000;
const HALF_HOUR = 30 * MINUTE;

beforeEach(() => openWorld());

/** Two endpoints that always send the same responses. Reports are bought only on the first endpoint. */
const PATHS = ['/bought', '/twin'] as const;
const url = (path: string): string => world.toUrl(path);

async function openWorld(): Promise<void> {
  const { prober } = world.context;
  // Both endpoints get the same latency in each half hour, so that their latency sums can be compared.
  const even = { ...world.context, prober: withEqualLatency(prober) };
  Object.assign(world, { context: even });
  world.items = PATHS.map((path) => item(url(path)));
  respondAs('up');
  await discover(world.context);
}

function withEqualLatency(prober: World['context']['prober']): World['context']['prober'] {
  return async (target) => {
    const probe = await prober(target);
    const latencyMs = 100 + (Math.floor(world.time / HALF_HOUR) % 50) * 10;
    const transfer = probe.phases.transfer === null ? null : 5;
    return {
      ...probe,
      latencyMs: probe.latencyMs === null ? null : latencyMs,
      phases: { ...probe.phases, transfer },
    };
  };
}

type State = 'up' | 'down' | 'dearer' | 'blocked';

function respondAs(state: State): void {
  for (const path of PATHS) {
    world.handlers.set(path, (response, at) => {
      if (state === 'down') response.writeHead(500).end();
      else if (state === 'blocked') response.writeHead(403).end();
      else challenge(response, at, state === 'dearer' ? { amount: '90000' } : {});
    });
  }
}

const buy = async () =>
  expectReport(await createTrustReport(createTestReportContext(world), { resource: url('/bought') }));

/**
 * Reads the daily figures of an endpoint without the number of rechecks, because rechecks do not count in any other
 * figure.
 */
async function readDailyFigures(path: string) {
  const { data } = await world.context.db
    .from('daily_rollups')
    .select(
      'day, probes, slots_due, slots_probed, due_seconds, scored, up, excluded, blocked, redirected, free, ' +
        'envelopes_pass, envelopes_warnings, envelopes_errors, envelopes_unpayable, latency_n, latency_sum_ms, ' +
        'latency_histogram, response_n, response_histogram',
    )
    .eq('endpoint_id', toEndpointId(url(path)))
    .gt('probes', 0)
    .order('day');
  return data;
}

/** Scores all changed endpoints, then reads the published figures of one endpoint. */
async function readShownFigures(path: string) {
  await scoreChanged(world.context, { includesWaiting: true });
  const { data } = await world.context.db
    .from('snapshots')
    .select('uptime_30d, latency_ms, probes_30d, probed_per_day, confidence')
    .eq('endpoint_id', toEndpointId(url(path)))
    .single();
  return data;
}

interface Step {
  readonly state: State;
  /**
   * Times of purchases in milliseconds after the start of the step, in ascending order. The scheduled probe is at the
   * end of the step.
   */
  readonly buys: readonly number[];
}

/** Outage in which reports are bought in every half hour. */
const OUTAGE = (['up', 'down', 'down', 'up'] as const).map((state): Step => {
  return { state, buys: [0, 5 * MINUTE, 25 * MINUTE] };
});

async function runStep({ state, buys }: Step): Promise<void> {
  const begun = world.time;
  respondAs(state);
  for (const after of buys) {
    world.time = begun + after;
    await buy();
  }
  world.time = begun + HALF_HOUR;
  await claimAndProbe(world.context);
  world.time += MINUTE;
  await recheckMisses(world.context);
  world.time = begun + HALF_HOUR;
}

describe('purchased reports', () => {
  it('change no figure at any time', async () => {
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
        world.begin();
        await openWorld();
        for (const one of steps) await runStep(one);
        expect(await readDailyFigures('/bought')).toEqual(await readDailyFigures('/twin'));
        expect(await readShownFigures('/bought')).toEqual(await readShownFigures('/twin'));
      }),
      { numRuns: 4, examples: [[OUTAGE]] },
    );
  });

  it('before the first scheduled probe count in no figure, and contain the observed terms', async () => {
    const report = await buy();
    expect(report).toMatchObject({
      freshness: { live: true },
      advertised: { amountUsd: '0.010000' },
      stats: { probes30d: 0, up30d: 0 },
      recommendation: 'unverified',
    });
    expect(await readDailyFigures('/bought')).toEqual([]);
  });

  it('store an observation only when it differs from the last one', async () => {
    const readRechecks = async () => {
      const { data } = await world.context.db
        .from('observations')
        .select('is_recheck')
        .eq('endpoint_id', toEndpointId(url('/bought')))
        .order('at');
      return data?.map((row) => row.is_recheck);
    };
    await runStep({ state: 'up', buys: [] });
    world.time += 6 * MINUTE;
    await buy();
    expect(await readRechecks()).toEqual([false]);
    respondAs('dearer');
    for (let bought = 0; bought < 3; bought += 1) {
      world.time += 6 * MINUTE;
      expect((await buy()).advertised?.amountUsd).toBe('0.090000');
    }
    expect(await readRechecks()).toEqual([false, true]);
  });
});
