import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import type { Probe } from '@touchstone/probe';
import { connect } from '@touchstone/store';
import { discover } from './discover.ts';
import { createManners } from './manners.ts';
import { scoreChanged } from './score-changed.ts';
import { countingFetch } from './testing/counting-fetch.ts';
import { figuresOf, makeKnown, reportContextOf, soundReport } from './testing/reports.ts';
import { challenge, createWorld, item, type World } from './testing/world.ts';
import { trustReport } from './trust-report.ts';

const keys = createKeys();
const MINUTE = 60_000;
let database: EmbeddedDatabase;
let world: World;
let tests = 0;

beforeAll(async () => {
  database = await startMigrated({ keys });
});
afterAll(() => database.close());
beforeEach(async () => {
  tests += 1;
  world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, 0, tests));
  world.answers.set('/paid', challenge);
});
afterEach(() => world.close());

const url = (path: string): string => `http://t${tests}.example.com${path}`;

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
    const id = await makeKnown(world, url('/paid'));
    world.time += 10 * MINUTE;
    const before = await figuresOf(world, id);
    const context = reportContextOf(world, { prober: failing({}) });
    const report = soundReport(await trustReport(context, { resource: url('/paid') }));
    expect(report.freshness).toMatchObject({
      live: false,
      notLiveReason: 'own-failure',
      ageSeconds: 600,
      liveProbeMs: null,
    });
    expect(await figuresOf(world, id)).toEqual(before);
  });

  it('holds nothing against an endpoint while no canary answers', async () => {
    const id = await makeKnown(world, url('/paid'));
    world.time += 10 * MINUTE;
    const before = await figuresOf(world, id);
    const prober = failing({ outcome: 'timeout' });
    const canaries = { urls: ['https://canary.example.com/'], prober };
    const context = reportContextOf(world, { prober, canaries });
    const report = soundReport(await trustReport(context, { resource: url('/paid') }));
    expect(report.freshness.notLiveReason).toBe('own-failure');
    expect(await figuresOf(world, id)).toEqual(before);
  });

  it('comes after five seconds when the endpoint does not, which is seen for the next one', async () => {
    const id = await makeKnown(world, url('/paid'));
    world.time += 10 * MINUTE;
    let answer = (): void => undefined;
    world.answers.set('/paid', (response, at) => {
      answer = () => challenge(response, at, { amount: '90000' });
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
    await expect.poll(async () => (await figuresOf(world, id)).observations, { timeout: 10_000 }).toBe(2);
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
    await makeKnown(world, template);
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
    await makeKnown(world, url('/paid'));
    world.answers.set('/paid', (response) => response.writeHead(429, { 'retry-after': '600' }).end());
    const context = reportContextOf(world, { manners: createManners() });
    expect(soundReport(await trustReport(context, { resource: url('/paid') })).freshness.live).toBe(true);
    const next = soundReport(await trustReport(context, { resource: url('/paid') }));
    expect(next.freshness).toMatchObject({ live: false, notLiveReason: 'stored' });
    expect(world.asked).toHaveLength(1);
  });

  it('is made while the world lives through its past', async () => {
    await makeKnown(world, url('/paid'));
    const context = reportContextOf(world, { mayProbe: () => Promise.resolve(false) });
    const report = soundReport(await trustReport(context, { resource: url('/paid') }));
    expect(report.freshness.notLiveReason).toBe('stored');
    expect(world.asked).toEqual([]);
  });
});
