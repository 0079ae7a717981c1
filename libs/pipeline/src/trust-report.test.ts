import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { connect } from '@touchstone/store';
import { confirmMisses } from './confirm-misses.ts';
import { countingFetch } from './testing/counting-fetch.ts';
import { figuresOf, idOf, makeKnown, reportContextOf, soundReport } from './testing/reports.ts';
import { challenge, createWorld, type World } from './testing/world.ts';
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
    const id = await makeKnown(world, url('/paid'));
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
      stats: { probes: 1, up: 1 },
    });
    expect(report.freshness.liveProbeMs).toBeGreaterThanOrEqual(0);
    const { score, grade, recommendation } = report;
    expect(await snapshotOf(id)).toMatchObject({ score, grade, recommendation });
    expect(calls.length).toBeLessThanOrEqual(6);
  });

  it('has its page made anew when what a reader sees is new', async () => {
    const id = await makeKnown(world, url('/paid'));
    world.answers.set('/paid', (response, at) => challenge(response, at, { amount: '90000' }));
    world.time += 10 * MINUTE;
    const report = soundReport(await trustReport(reportContextOf(world), { resource: url('/paid') }));
    expect(report.advertised?.amountUsd).toBe('0.090000');
    expect(world.changed).toEqual([id]);
  });

  it('tells of a new wallet at once, without weighing in uptime', async () => {
    const id = await makeKnown(world, url('/paid'));
    const thief = `0x${'3'.repeat(40)}`;
    world.answers.set('/paid', (response, at) => challenge(response, at, { payTo: thief }));
    world.time += MINUTE;
    const report = soundReport(await trustReport(reportContextOf(world), { resource: url('/paid') }));
    expect(report.advertised?.payTo).toBe(thief);
    expect(report.recommendation).toBe('avoid');
    expect(report.flags).toHaveProperty('payto-changed-recently');
    expect(await figuresOf(world, id)).toMatchObject({
      probes: 1,
      confirmations: 1,
      scored: 1,
      observations: 2,
    });
    expect(await snapshotOf(id)).toMatchObject({ recommendation: 'avoid', error_flags: 1 });
  });

  it('has a miss looked at once more before anybody is told that it is down', async () => {
    const id = await makeKnown(world, url('/paid'));
    world.answers.set('/paid', (response) => response.writeHead(500).end());
    world.time += 10 * MINUTE;
    const context = reportContextOf(world);
    const report = soundReport(await trustReport(context, { resource: url('/paid') }));
    expect(report.stats).toMatchObject({ probes: 1, up: 1 });
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
    const id = await makeKnown(world, url('/paid'));
    world.answers.set('/paid', (response) => response.writeHead(500).end());
    world.time += MINUTE;
    await trustReport(reportContextOf(world), { resource: url('/paid') });
    expect(await figuresOf(world, id)).toMatchObject({ probes: 1, confirmations: 1, scored: 1, up: 1 });
    world.time += 50_000;
    expect(await confirmMisses(world.context)).toMatchObject({ claimed: 1 });
  });

  it('shares its probe with others that are asked for at the same time', async () => {
    const id = await makeKnown(world, url('/paid'));
    world.answers.set('/paid', (response, at) => challenge(response, at, { amount: '90000' }));
    world.time += 10 * MINUTE;
    const context = reportContextOf(world);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => trustReport(context, { resource: url('/paid') })),
    );
    const reports = outcomes.map(soundReport);
    expect(new Set(reports.map(({ freshness }) => JSON.stringify(freshness))).size).toBe(1);
    expect(world.asked).toHaveLength(1);
    expect(await figuresOf(world, id)).toMatchObject({ observations: 2 });
  });

  it('asks by the method that was challenged before', async () => {
    await makeKnown(world, url('/paid'));
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

  it.each(['https://{tenant}.example.com/', 'https://%7Btenant%7D.example.com/', 'https://{host}/x'])(
    'is made on %s, whose host has a placeholder',
    async (resource) => {
      const outcome = await trustReport(reportContextOf(world), { resource });
      expect(outcome).toMatchObject({ kind: 'problem', code: 'template-unresolved' });
    },
  );

  it('is made on what was taken out at the wish of its owner', async () => {
    const id = await makeKnown(world, url('/paid'));
    await world.context.db
      .from('endpoints')
      .update({ removed_at: new Date(world.time).toISOString() })
      .eq('id', id);
    const outcome = await trustReport(reportContextOf(world), { resource: url('/paid') });
    expect(outcome).toMatchObject({ kind: 'problem', code: 'not-probeable' });
    expect(world.asked).toEqual([]);
  });
});
