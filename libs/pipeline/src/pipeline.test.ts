import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canonicalize } from '@touchstone/catalog';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { createPublicStore, type PublicStore } from '@touchstone/store';
import { discover } from './discover.ts';
import { scoreChanged } from './score-changed.ts';
import { record } from './record.ts';
import { claim, probe, sweep, SWEEP_LIMITS } from './sweep.ts';
import { challenge, createWorld, item, type World } from './testing/world.ts';

const keys = createKeys();
const HALF_HOUR = 30 * 60_000;
let database: EmbeddedDatabase;
let world: World;
let open: PublicStore;
let tests = 0;

beforeAll(async () => {
  database = await startMigrated({ keys });
  open = createPublicStore({ url: database.url, key: keys.publishable });
});
afterAll(() => database.close());
beforeEach(async () => {
  // Each test has hosts of its own and a month of its own in the shared database.
  tests += 1;
  world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, tests, 1));
});
afterEach(() => world.close());

const url = (path: string): string => `http://t${tests}.example.com${path}`;

/** What was asked of this test's hosts; endpoints of earlier tests are still due. */
const ours = (): string[] => world.asked.filter((asked) => asked.startsWith(url('/')));

async function snapshotOf(resource: string) {
  const canonical = canonicalize(resource);
  if (!canonical.ok) throw new Error(canonical.reason);
  return open.snapshot(canonical.id);
}

/** Lives through a number of half hours: probes at each, scores at the end. */
async function live(halfHours: number): Promise<void> {
  for (let i = 0; i < halfHours; i += 1) {
    world.time += HALF_HOUR;
    await sweep(world.context);
  }
  await scoreChanged(world.context);
}

describe('from a listing to a snapshot', () => {
  it('grades what it probed, and says what changed', async () => {
    const good = url('/good');
    world.items = [item(good, { serviceName: 'Skies' })];
    world.answers.set('/good', challenge);
    expect((await discover(world.context)).directories).toMatchObject([
      { items: 1, accepted: 1, complete: true },
    ]);
    await live(4);
    expect(await snapshotOf(good)).toMatchObject({
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
    expect(world.changed).toHaveLength(1);
    await live(0);
    expect(world.changed).toHaveLength(1);
  });

  it('sees a wallet swapped, a price moved and a service lost', async () => {
    for (const path of ['/swap', '/price', '/lost']) world.answers.set(path, challenge);
    world.items = ['/swap', '/price', '/lost'].map((path) => item(url(path)));
    await discover(world.context);
    await live(4);
    const before = await snapshotOf(url('/swap'));
    expect(before?.errorFlags).toBe(0);

    world.answers.set('/swap', (response, at) => challenge(response, at, { payTo: `0x${'2'.repeat(40)}` }));
    world.answers.set('/price', (response, at) => challenge(response, at, { amount: '25000' }));
    world.answers.set('/lost', (response) => response.writeHead(503).end());
    await live(52);
    const swapped = await snapshotOf(url('/swap'));
    expect(swapped).toMatchObject({ errorFlags: 1, recommendation: 'avoid' });
    expect(swapped?.score).toBeLessThanOrEqual(64);
    expect(await snapshotOf(url('/price'))).toMatchObject({
      amountUsd: '0.025000',
      priceStability: 'changed once',
    });
    const lost = await snapshotOf(url('/lost'));
    expect(lost).toMatchObject({ grade: 'F', recommendation: 'avoid' });
    expect(lost?.score).toBeLessThanOrEqual(34);
  });

  it('does not hold against an endpoint that nobody looked at it', async () => {
    world.answers.set('/up', challenge);
    world.answers.set('/gate', challenge);
    world.items = [item(url('/up')), item(url('/gate'))];
    await discover(world.context);
    await live(20);
    const before = await snapshotOf(url('/up'));
    world.answers.set('/gate', (response) => response.writeHead(403).end());
    world.time += 3 * 24 * 60 * 60_000;
    await live(3);
    const gate = await snapshotOf(url('/gate'));
    expect(gate?.score).toBeGreaterThan(64);
    world.time += 3 * 24 * 60 * 60_000;
    await scoreChanged(world.context);
    const after = await snapshotOf(url('/up'));
    expect(after?.score).toBeGreaterThanOrEqual((before?.score ?? 100) - 1);
    expect(after?.errorFlags).toBe(0);
  });

  it('tells silence from gates: free, blocked, and what was never probed', async () => {
    world.answers.set('/free', (response) => response.writeHead(200).end('{"temperature":7}'));
    world.answers.set('/blocked', (response) =>
      response.writeHead(403).end('<html>robots not welcome</html>'),
    );
    world.items = [
      item(url('/free')),
      item(url('/blocked')),
      item('https://elsewhere.example.org/paid'),
      item(url('/users/{id}')),
    ];
    await discover(world.context);
    await live(3);
    expect(await snapshotOf(url('/free'))).toMatchObject({ grade: '?', recommendation: 'free' });
    expect(await snapshotOf(url('/blocked'))).toMatchObject({
      grade: '?',
      recommendation: 'unverified',
      uptime30d: null,
    });
    expect(await snapshotOf('https://elsewhere.example.org/paid')).toMatchObject({
      probes30d: 0,
      lastProbedAt: null,
    });
    expect(await snapshotOf(url('/users/{id}'))).toMatchObject({ templated: true, probes30d: 0, grade: '?' });
    expect(new Set(ours())).toEqual(new Set([url('/free'), url('/blocked')]));
  });

  it('probes a slot once however many workers there are', async () => {
    const paths = Array.from({ length: 20 }, (_, i) => `/many/${i}`);
    for (const path of paths) world.answers.set(path, challenge);
    world.items = paths.map((path) => item(url(path)));
    await discover(world.context);
    world.time += HALF_HOUR;
    const workers = ['one', 'two', 'three'].map((owner) => sweep({ ...world.context, owner }));
    const summaries = await Promise.all(workers);
    for (const { claimed, recorded, dropped } of summaries) {
      expect(recorded).toBe(claimed);
      expect(dropped).toBe(0);
    }
    expect(ours().sort()).toEqual(paths.map(url).sort());
    await scoreChanged(world.context);
    expect(await snapshotOf(url('/many/0'))).toMatchObject({ probes30d: 1 });
  });

  it('records everybody, whatever one of them answers', async () => {
    world.answers.set('/good', challenge);
    world.answers.set('/dear', (response, at) => challenge(response, at, { amount: '9'.repeat(77) }));
    world.answers.set('/odd', (response, at) => challenge(response, at, { payTo: '0x\u0000\ud800' }));
    world.items = ['/good', '/dear', '/odd'].map((path) =>
      item(url(path), { description: 'a\u0000b\ud800' }),
    );
    await discover(world.context);
    await live(2);
    for (const path of ['/good', '/dear', '/odd']) {
      expect(await snapshotOf(url(path))).toMatchObject({ probes30d: 2 });
    }
  });

  it('records the others when the database refuses the value of one', async () => {
    const paths = ['/a', '/b', '/c', '/d', '/e'];
    for (const path of paths) world.answers.set(path, challenge);
    world.items = paths.map((path) => item(url(path)));
    await discover(world.context);
    world.time += HALF_HOUR;
    const claimed = await claim(world.context, SWEEP_LIMITS);
    const observed = await probe(world.context, claimed, SWEEP_LIMITS);
    const spoiled = observed.map((one, index) =>
      index === 2 ? { ...one, observation: { ...one.observation, amountUsd: 'not a number' } } : one,
    );
    const { recorded } = await record(world.context, spoiled);
    expect(recorded).toBe(claimed.length);
  });

  it('names every item it does not take', async () => {
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

  it('goes on when a directory cannot be read, and delists nothing for it', async () => {
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
    await live(0);
    expect(await snapshotOf(url('/kept'))).toMatchObject({ listingStatus: 'listed' });
  });
});
