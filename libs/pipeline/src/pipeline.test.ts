import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canonicalize } from '@touchstone/catalog';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { createPublicStore, type PublicStore } from '@touchstone/store';
import { discover } from './discovery/discover.ts';
import { scoreChanged } from './scoring/score-changed.ts';
import type { ObservedProbe } from './probing/observe.ts';
import { recordProbes } from './probing/record.ts';
import { claimAndProbe, claimDueSlots, DEFAULT_BATCH_LIMITS } from './probing/probe-due.ts';
import { probeWithoutRecording } from './probing/probe-claimed.ts';
import { challenge, createWorld, item, type World } from './testing/world.ts';

const keys = createKeys();
const HALF_HOUR = 30 * 60_000;
let database: EmbeddedDatabase;
let world: World;
let publicStore: PublicStore;
let tests = 0;

beforeAll(async () => {
  database = await startMigrated({ keys });
  publicStore = createPublicStore({ url: database.url, key: keys.publishable });
});
afterAll(() => database.close());
beforeEach(async () => {
  // Each test has its own hosts and its own month in the shared database.
  tests += 1;
  world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, tests, 1));
});
afterEach(() => world.close());

const url = (path: string): string => `http://t${tests}.example.com${path}`;

/** Returns the URLs that were probed on the hosts of this test. Probes of earlier tests' endpoints are left out. */
const listOwnRequests = (): string[] =>
  world.requestedUrls.filter((requested) => requested.startsWith(url('/')));

async function readSnapshot(resource: string) {
  const canonical = canonicalize(resource);
  if (!canonical.ok) throw new Error(canonical.reason);
  return publicStore.snapshot(canonical.id);
}

/** Advances the time by the given number of half hours, probes after each half hour, and scores at the end. */
async function advance(halfHours: number): Promise<void> {
  for (let i = 0; i < halfHours; i += 1) {
    world.time += HALF_HOUR;
    await claimAndProbe(world.context);
  }
  await scoreChanged(world.context);
}

describe('from a listing to a snapshot', () => {
  it('grades probed endpoints and reports changed pages', async () => {
    const good = url('/good');
    world.items = [item(good, { serviceName: 'Skies' })];
    world.handlers.set('/good', challenge);
    expect((await discover(world.context)).directories).toMatchObject([
      { items: 1, accepted: 1, complete: true },
    ]);
    await advance(4);
    expect(await readSnapshot(good)).toMatchObject({
      serviceName: 'Skies',
      description: 'Weather by city',
      uptime30d: 100,
      probes30d: 4,
      amountUsd: '0.010000',
      network: 'eip155:8453',
      priceStability: 'stable',
      protocolVersion: 2,
      listingStatus: 'listed',
      errorFlags: 0,
    });
    const provider = `provider:${new URL(good).host}`;
    expect(world.changedTags).toEqual([
      ...['leaderboard', 'events', provider],
      `endpoint:${world.changedIds[0]}`,
      'ecosystem',
    ]);
    await advance(0);
    expect(world.changedIds).toHaveLength(1);
  });

  it('detects a changed wallet, a changed price and an outage', async () => {
    for (const path of ['/swap', '/price', '/lost']) world.handlers.set(path, challenge);
    world.items = ['/swap', '/price', '/lost'].map((path) => item(url(path)));
    await discover(world.context);
    await advance(4);
    const before = await readSnapshot(url('/swap'));
    expect(before?.errorFlags).toBe(0);

    world.handlers.set('/swap', (response, at) => challenge(response, at, { payTo: `0x${'2'.repeat(40)}` }));
    world.handlers.set('/price', (response, at) => challenge(response, at, { amount: '25000' }));
    world.handlers.set('/lost', (response) => response.writeHead(503).end());
    await advance(52);
    const swapped = await readSnapshot(url('/swap'));
    expect(swapped).toMatchObject({ errorFlags: 1, recommendation: 'avoid' });
    expect(swapped?.score).toBeLessThanOrEqual(64);
    expect(await readSnapshot(url('/price'))).toMatchObject({
      amountUsd: '0.025000',
      priceStability: 'changed once',
    });
    const lost = await readSnapshot(url('/lost'));
    expect(lost).toMatchObject({ grade: 'F', recommendation: 'avoid' });
    expect(lost?.score).toBeLessThanOrEqual(34);
  });

  it('does not lower the score for time without probes', async () => {
    world.handlers.set('/up', challenge);
    world.handlers.set('/gate', challenge);
    world.items = [item(url('/up')), item(url('/gate'))];
    await discover(world.context);
    await advance(20);
    const before = await readSnapshot(url('/up'));
    world.handlers.set('/gate', (response) => response.writeHead(403).end());
    world.time += 3 * 24 * 60 * 60_000;
    await advance(3);
    const gate = await readSnapshot(url('/gate'));
    expect(gate?.score).toBeGreaterThan(64);
    world.time += 3 * 24 * 60 * 60_000;
    await scoreChanged(world.context);
    const after = await readSnapshot(url('/up'));
    expect(after?.score).toBeGreaterThanOrEqual((before?.score ?? 100) - 1);
    expect(after?.errorFlags).toBe(0);
  });

  it('distinguishes free, blocked and never probed endpoints', async () => {
    world.handlers.set('/free', (response) => response.writeHead(200).end('{"temperature":7}'));
    world.handlers.set('/blocked', (response) =>
      response.writeHead(403).end('<html>robots not welcome</html>'),
    );
    world.items = [
      item(url('/free')),
      item(url('/blocked')),
      item('https://elsewhere.example.org/paid'),
      item(url('/users/{id}')),
    ];
    await discover(world.context);
    await advance(3);
    expect(await readSnapshot(url('/free'))).toMatchObject({ grade: '?', recommendation: 'free' });
    expect(await readSnapshot(url('/blocked'))).toMatchObject({
      grade: '?',
      recommendation: 'unverified',
      uptime30d: null,
    });
    expect(await readSnapshot('https://elsewhere.example.org/paid')).toMatchObject({
      probes30d: 0,
      lastProbedAt: null,
    });
    expect(await readSnapshot(url('/users/{id}'))).toMatchObject({
      templated: true,
      probes30d: 0,
      grade: '?',
    });
    expect(new Set(listOwnRequests())).toEqual(new Set([url('/free'), url('/blocked')]));
  });

  it('probes each slot once with several workers', async () => {
    const paths = Array.from({ length: 20 }, (_, i) => `/many/${i}`);
    for (const path of paths) world.handlers.set(path, challenge);
    world.items = paths.map((path) => item(url(path)));
    await discover(world.context);
    world.time += HALF_HOUR;
    const workers = ['one', 'two', 'three'].map((owner) => claimAndProbe({ ...world.context, owner }));
    const summaries = await Promise.all(workers);
    for (const { claimed, recorded, dropped } of summaries) {
      expect(recorded).toBe(claimed);
      expect(dropped).toBe(0);
    }
    expect(listOwnRequests().sort()).toEqual(paths.map(url).sort());
    await scoreChanged(world.context);
    expect(await readSnapshot(url('/many/0'))).toMatchObject({ probes30d: 1 });
  });

  it('records all endpoints when some send extreme or invalid values', async () => {
    world.handlers.set('/good', challenge);
    world.handlers.set('/dear', (response, at) => challenge(response, at, { amount: '9'.repeat(77) }));
    world.handlers.set('/odd', (response, at) => challenge(response, at, { payTo: '0x\u0000\ud800' }));
    world.items = ['/good', '/dear', '/odd'].map((path) =>
      item(url(path), { description: 'a\u0000b\ud800' }),
    );
    await discover(world.context);
    await advance(2);
    for (const path of ['/good', '/dear', '/odd']) {
      expect(await readSnapshot(url(path))).toMatchObject({ probes30d: 2 });
    }
  });

  it('records the others when the database refuses the provider data of one (class 22)', async () => {
    const paths = ['/a', '/b', '/c', '/d', '/e'];
    for (const path of paths) world.handlers.set(path, challenge);
    world.items = paths.map((path) => item(url(path)));
    await discover(world.context);
    world.time += HALF_HOUR;
    const claimed = await claimDueSlots(world.context, DEFAULT_BATCH_LIMITS);
    const observed = await probeWithoutRecording(world.context, claimed, DEFAULT_BATCH_LIMITS);
    const spoiled = observed.map((one, index) =>
      index === 2 ? { ...one, observation: { ...one.observation, amountUsd: 'not a number' } } : one,
    );
    const { recorded } = await recordProbes(world.context, spoiled);
    expect(recorded).toBe(claimed.length);
  });

  it('records the others when a row violates a constraint (class 23), and drops that row', async () => {
    const paths = ['/a', '/b', '/c', '/d', '/e'];
    for (const path of paths) world.handlers.set(path, challenge);
    world.items = paths.map((path) => item(url(path)));
    await discover(world.context);
    world.time += HALF_HOUR;
    const claimed = await claimDueSlots(world.context, DEFAULT_BATCH_LIMITS);
    const observed = await probeWithoutRecording(world.context, claimed, DEFAULT_BATCH_LIMITS);
    // An invalid value: the types do not allow null, and the database refuses it with a not-null violation (23502).
    const outcome = null as unknown as string;
    const spoil = (one: ObservedProbe): ObservedProbe => ({
      ...one,
      observation: { ...one.observation, outcome },
    });
    // When the database refuses all rows, the cause is not a single row, so the whole batch fails.
    await expect(recordProbes(world.context, observed.map(spoil))).rejects.toThrow('record observations');
    const spoiled = observed.map((one, index) => (index === 2 ? spoil(one) : one));
    const { recorded, dropped } = await recordProbes(world.context, spoiled);
    expect([recorded, dropped]).toEqual([claimed.length - 1, 1]);
  });

  it('reports every rejected item with a reason', async () => {
    world.items = [
      item(url('/ok')),
      item(url('/ok')),
      item('ftp://files.example.com/'),
      item('http://127.0.0.1/'),
      7,
    ];
    const { directories } = await discover(world.context);
    expect(directories).toMatchObject([{ items: 5, accepted: 1, duplicates: 1, rejected: 3 }]);
    expect(directories[0]?.rejects).toHaveLength(3);
    for (const { reason } of directories[0]?.rejects ?? []) expect(reason).not.toBe('');
  });

  it('continues when a directory cannot be read, and delists nothing of it', async () => {
    world.items = [item(url('/kept'))];
    await discover(world.context);
    const gone = world.context.directories.map(({ url: address }) => ({
      name: 'gone',
      url: `${address}/gone`,
    }));
    const broken = { ...world.context, directories: [...gone, ...world.context.directories] };
    const { directories } = await discover(broken);
    expect(directories.map((directory) => directory.complete)).toEqual([false, true]);
    expect(directories[0]?.note).toBeTruthy();
    await advance(0);
    expect(await readSnapshot(url('/kept'))).toMatchObject({ listingStatus: 'listed' });
  });
});
