import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canonicalize } from '@touchstone/catalog';
import { createKeys, startEmbedded, type EmbeddedDatabase } from '@touchstone/embedded';
import type { Probe } from '@touchstone/probe';
import { connect } from '@touchstone/store';
import { confirmMisses } from './confirm-misses.ts';
import { discover } from './discover.ts';
import { createManners } from './manners.ts';
import { scoreChanged } from './score-changed.ts';
import { sweep } from './sweep.ts';
import { countingFetch } from './testing/counting-fetch.ts';
import { reportContextOf, soundReport } from './testing/reports.ts';
import { challenge, createWorld, item, type World } from './testing/world.ts';
import { trustReport } from './trust-report.ts';

const keys = createKeys();
const MINUTE = 60_000;
let database: EmbeddedDatabase;
let world: World;
let tests = 0;

beforeAll(async () => {
  database = await startEmbedded({ keys });
});
afterAll(() => database.close());
beforeEach(async () => {
  tests += 1;
  world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, 0, tests));
  world.answers.set('/paid', challenge);
});
afterEach(() => world.close());

const url = (path: string): string => `http://t${tests}.example.com${path}`;

function idOf(resource: string): string {
  const canonical = canonicalize(resource);
  if (!canonical.ok) throw new Error(canonical.reason);
  return canonical.id;
}

/** Lists an endpoint, and has it probed by the schedule and scored. */
async function known(resource: string): Promise<string> {
  world.items = [item(resource)];
  await discover(world.context);
  world.time += 30 * MINUTE;
  await sweep(world.context);
  await scoreChanged(world.context);
  world.asked.length = 0;
  world.changed.length = 0;
  return idOf(resource);
}

async function figuresOf(id: string) {
  const { db } = world.context;
  const { data } = await db
    .from('daily_rollups')
    .select('probes, confirmations, scored, up')
    .eq('endpoint_id', id);
  const { count } = await db
    .from('observations')
    .select('*', { count: 'exact', head: true })
    .eq('endpoint_id', id);
  return { ...data?.[0], observations: count };
}

async function snapshotOf(id: string) {
  const { data } = await world.context.db
    .from('snapshots')
    .select('score, grade, recommendation, error_flags')
    .eq('endpoint_id', id)
    .single();
  return data;
}

describe('a report on an endpoint of the catalog', () => {
  it('is made from a probe of this moment, and is what its page shows', async () => {
    const id = await known(url('/paid'));
    world.time += 10 * MINUTE;
    const calls: string[] = [];
    const db = connect({ url: database.url, key: keys.secret, fetch: countingFetch(calls) });
    const resource = `HTTP://T${tests}.example.com:80/paid#part`;
    const report = soundReport(await trustReport(reportContextOf(world, { db }), { resource }));
    expect(world.asked).toEqual([url('/paid')]);
    expect(report).toMatchObject({
      resource,
      endpointId: id,
      freshness: { live: true, notLiveReason: null, probedAt: new Date(world.time).toISOString() },
      stats: { probes: 2, up: 2 },
    });
    expect(report.freshness.liveProbeMs).toBeGreaterThanOrEqual(0);
    const { score, grade, recommendation } = report;
    expect(await snapshotOf(id)).toMatchObject({ score, grade, recommendation });
    expect(calls.length).toBeLessThanOrEqual(5);
  });

  it('has its page made anew when what a reader sees is new', async () => {
    const id = await known(url('/paid'));
    world.answers.set('/paid', (response, at) => challenge(response, at, { amount: '90000' }));
    world.time += 10 * MINUTE;
    const report = soundReport(await trustReport(reportContextOf(world), { resource: url('/paid') }));
    expect(report.advertised?.amountUsd).toBe('0.090000');
    expect(world.changed).toEqual([id]);
  });

  it('weighs no more when many are bought in good times', async () => {
    const id = await known(url('/paid'));
    const context = reportContextOf(world);
    for (let bought = 0; bought < 10; bought += 1) {
      world.time += 20_000;
      const report = soundReport(await trustReport(context, { resource: url('/paid') }));
      expect(report.freshness.live).toBe(true);
    }
    expect(world.asked).toHaveLength(10);
    expect(await figuresOf(id)).toMatchObject({ probes: 1, confirmations: 0, observations: 1 });
    world.time += 2 * MINUTE;
    await trustReport(context, { resource: url('/paid') });
    expect(await figuresOf(id)).toMatchObject({ probes: 2, observations: 2 });
  });

  it('tells of a new wallet at once, without weighing in uptime', async () => {
    const id = await known(url('/paid'));
    const thief = `0x${'3'.repeat(40)}`;
    world.answers.set('/paid', (response, at) => challenge(response, at, { payTo: thief }));
    world.time += MINUTE;
    const report = soundReport(await trustReport(reportContextOf(world), { resource: url('/paid') }));
    expect(report.advertised?.payTo).toBe(thief);
    expect(report.recommendation).toBe('avoid');
    expect(report.flags).toHaveProperty('payto-changed-recently');
    expect(await figuresOf(id)).toMatchObject({ probes: 1, confirmations: 1, scored: 1, observations: 2 });
    expect(await snapshotOf(id)).toMatchObject({ recommendation: 'avoid', error_flags: 1 });
  });

  it('has a miss looked at once more before anybody is told that it is down', async () => {
    const id = await known(url('/paid'));
    world.answers.set('/paid', (response) => response.writeHead(500).end());
    world.time += 10 * MINUTE;
    const context = reportContextOf(world);
    const report = soundReport(await trustReport(context, { resource: url('/paid') }));
    expect(report.stats).toMatchObject({ probes: 2, up: 1 });
    const livenessOf = async () =>
      (await world.context.db.from('endpoint_states').select('liveness, misses').eq('endpoint_id', id)).data;
    expect(await livenessOf()).toEqual([{ liveness: 'up', misses: 1 }]);
    // Bought again, it is the same miss.
    await trustReport(context, { resource: url('/paid') });
    expect(await livenessOf()).toEqual([{ liveness: 'up', misses: 1 }]);
    world.time += 50_000;
    expect(await confirmMisses(world.context)).toMatchObject({ claimed: 1 });
    expect(await livenessOf()).toEqual([{ liveness: 'down', misses: 2 }]);
  });

  it('has a miss looked at once more that shows soon after a good probe', async () => {
    const id = await known(url('/paid'));
    world.answers.set('/paid', (response) => response.writeHead(500).end());
    world.time += MINUTE;
    await trustReport(reportContextOf(world), { resource: url('/paid') });
    expect(await figuresOf(id)).toMatchObject({ probes: 1, confirmations: 1, scored: 1, up: 1 });
    world.time += 50_000;
    expect(await confirmMisses(world.context)).toMatchObject({ claimed: 1 });
  });

  it('shares its probe with others that are asked for at the same time', async () => {
    const id = await known(url('/paid'));
    world.time += 10 * MINUTE;
    const context = reportContextOf(world);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => trustReport(context, { resource: url('/paid') })),
    );
    const reports = outcomes.map(soundReport);
    expect(new Set(reports.map(({ freshness }) => JSON.stringify(freshness))).size).toBe(1);
    expect(world.asked).toHaveLength(1);
    expect(await figuresOf(id)).toMatchObject({ observations: 2 });
  });

  it('asks by the method that was challenged before', async () => {
    await known(url('/paid'));
    const methods: string[][] = [];
    const prober = (target: Parameters<typeof world.context.prober>[0]) => {
      methods.push([...target.methods]);
      return world.context.prober(target);
    };
    await world.context.db
      .from('endpoint_states')
      .update({ method: 'POST' })
      .eq('endpoint_id', idOf(url('/paid')));
    await trustReport(reportContextOf(world, { prober }), { resource: url('/paid') });
    expect(methods).toEqual([['POST', 'GET']]);
  });
});

describe('a report without a live probe', () => {
  const failing = (change: Partial<Probe>) => () =>
    Promise.resolve<Probe>({
      url: '',
      method: 'GET',
      outcome: 'self-failure',
      httpStatus: null,
      phases: { resolve: null, connect: null, tls: null, processing: null, transfer: null },
      latencyMs: null,
      totalMs: 1,
      headers: [],
      body: null,
      bodyTruncated: false,
      remoteAddress: null,
      retryAfterSeconds: null,
      failure: { phase: 'connect', code: 'ENETUNREACH', message: 'no network' },
      ...change,
    });

  it('is made from what is stored when the failure was our own, which it says', async () => {
    const id = await known(url('/paid'));
    world.time += 10 * MINUTE;
    const before = await figuresOf(id);
    const context = reportContextOf(world, { prober: failing({}) });
    const report = soundReport(await trustReport(context, { resource: url('/paid') }));
    expect(report.freshness).toMatchObject({
      live: false,
      notLiveReason: 'own-failure',
      ageSeconds: 600,
      liveProbeMs: null,
    });
    expect(await figuresOf(id)).toEqual(before);
  });

  it('holds nothing against an endpoint while no canary answers', async () => {
    const id = await known(url('/paid'));
    world.time += 10 * MINUTE;
    const before = await figuresOf(id);
    const prober = failing({ outcome: 'timeout' });
    const canaries = { urls: ['https://canary.example.com/'], prober };
    const context = reportContextOf(world, { prober, canaries });
    const report = soundReport(await trustReport(context, { resource: url('/paid') }));
    expect(report.freshness.notLiveReason).toBe('own-failure');
    expect(await figuresOf(id)).toEqual(before);
  });

  it('comes after five seconds when the endpoint does not, which is seen for the next one', async () => {
    const id = await known(url('/paid'));
    world.time += 10 * MINUTE;
    let answer = (): void => undefined;
    world.answers.set('/paid', (response, at) => {
      answer = () => challenge(response, at);
    });
    const context = reportContextOf(world, {
      prober: async (target) => {
        const probing = world.context.prober(target);
        setTimeout(() => answer(), 4_900);
        const probe = await probing;
        await new Promise((resolve) => setTimeout(resolve, 400));
        return probe;
      },
    });
    const started = performance.now();
    const report = soundReport(await trustReport(context, { resource: url('/paid') }));
    expect(performance.now() - started).toBeLessThan(6_000);
    expect(report.freshness).toMatchObject({ live: false, notLiveReason: 'too-slow', ageSeconds: 600 });
    expect(report.stats.probes).toBe(1);
    await expect.poll(async () => (await figuresOf(id)).observations, { timeout: 10_000 }).toBe(2);
  }, 30_000);

  it('is what there is of hosts that are never asked from here, also before the first score', async () => {
    const elsewhere = `https://t${tests}.example.org/paid`;
    world.items = [item(elsewhere)];
    await discover(world.context);
    const report = soundReport(await trustReport(reportContextOf(world), { resource: elsewhere }));
    expect(report).toMatchObject({
      freshness: { live: false, notLiveReason: 'stored', probedAt: null, ageSeconds: null },
      recommendation: 'unverified',
    });
    expect(world.asked).toEqual([]);
  });

  it('costs one call of the database', async () => {
    const elsewhere = `https://u${tests}.example.org/paid`;
    world.items = [item(elsewhere)];
    await discover(world.context);
    await scoreChanged(world.context);
    const calls: string[] = [];
    const db = connect({ url: database.url, key: keys.secret, fetch: countingFetch(calls) });
    soundReport(await trustReport(reportContextOf(world, { db }), { resource: elsewhere }));
    expect(calls).toEqual(['report_subject']);
  });

  it('is made of a template that is listed; of one that is not there is none', async () => {
    const template = url('/items/{id}');
    await known(template);
    const context = reportContextOf(world);
    const report = soundReport(await trustReport(context, { resource: url('/items/%7Bid%7D') }));
    expect(report).toMatchObject({ templated: true, freshness: { live: false, notLiveReason: 'template' } });
    for (const path of ['/other/{id}', '/other/:id', '/other/%7bid%7D']) {
      const outcome = await trustReport(context, { resource: `https://t${tests}.example.com${path}` });
      expect(outcome).toMatchObject({ kind: 'problem', code: 'template-unresolved' });
    }
    expect(world.asked).toEqual([]);
  });

  it('leaves a host alone that asked for it', async () => {
    await known(url('/paid'));
    world.answers.set('/paid', (response) => response.writeHead(429, { 'retry-after': '600' }).end());
    const context = reportContextOf(world, { manners: createManners() });
    expect(soundReport(await trustReport(context, { resource: url('/paid') })).freshness.live).toBe(true);
    const next = soundReport(await trustReport(context, { resource: url('/paid') }));
    expect(next.freshness).toMatchObject({ live: false, notLiveReason: 'stored' });
    expect(world.asked).toHaveLength(1);
  });

  it('is made while the world lives through its past', async () => {
    await known(url('/paid'));
    const context = reportContextOf(world, { mayProbe: () => Promise.resolve(false) });
    const report = soundReport(await trustReport(context, { resource: url('/paid') }));
    expect(report.freshness.notLiveReason).toBe('stored');
    expect(world.asked).toEqual([]);
  });
});

describe('no report', () => {
  it.each([
    '',
    'api.example.com/x',
    'ftp://api.example.com/x',
    'https://u:p@api.example.com/',
    '/x',
    'https://',
  ])('is made on %j, which is no URL of an endpoint', async (resource) => {
    const outcome = await trustReport(reportContextOf(world), { resource });
    expect(outcome).toMatchObject({
      kind: 'problem',
      code: 'invalid-request',
      errors: [{ path: 'resource' }],
    });
  });

  it.each([
    'https://localhost/x',
    'https://127.0.0.1/x',
    'https://10.1.2.3/',
    'https://[::1]/',
    'https://intranet/',
  ])('is made on %s, whose host is not public', async (resource) => {
    const outcome = await trustReport(reportContextOf(world), { resource });
    expect(outcome).toMatchObject({ kind: 'problem', code: 'not-probeable' });
  });

  it('is made on what was taken out at the wish of its owner', async () => {
    const id = await known(url('/paid'));
    await world.context.db
      .from('endpoints')
      .update({ removed_at: new Date(world.time).toISOString() })
      .eq('id', id);
    const outcome = await trustReport(reportContextOf(world), { resource: url('/paid') });
    expect(outcome).toMatchObject({ kind: 'problem', code: 'not-probeable' });
    expect(world.asked).toEqual([]);
  });
});
