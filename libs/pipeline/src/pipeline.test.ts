import { probeAndScore, toEndpointId } from './testing/reports.ts';
import { describe, expect, it } from 'vitest';
import { discover } from './discovery/discover.ts';
import { scoreChanged } from './scoring/score-changed.ts';
import type { ObservedProbe } from './probing/observe.ts';
import { recordProbes } from './probing/record.ts';
import { claimDueSlots, DEFAULT_BATCH_LIMITS } from './probing/probe-due.ts';
import { probeWithoutRecording } from './probing/probe-claimed.ts';
import { challenge, useWorld, item } from './testing/world.ts';

const world = useWorld();
const HALF_HOUR = 30 * 60_000;

const url = (path: string): string => world.toUrl(path);

const readSnapshot = (resource: string) => world.publicStore.readSnapshot(toEndpointId(resource));

/** Adds endpoints that respond with a payment challenge to the catalog. */
async function list(...paths: readonly string[]): Promise<void> {
  for (const path of paths) world.handlers.set(path, challenge);
  world.items = paths.map((path) => item(url(path)));
  await discover(world.context);
}

const advance = (halfHours: number, every = 1) => probeAndScore(world, halfHours, every);

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
    await list('/swap', '/price', '/lost');
    await advance(4);
    const before = await readSnapshot(url('/swap'));
    expect(before?.errorFlags).toBe(0);

    world.handlers.set('/swap', (response, at) => challenge(response, at, { payTo: `0x${'2'.repeat(40)}` }));
    world.handlers.set('/price', (response, at) => challenge(response, at, { amount: '25000' }));
    world.handlers.set('/lost', (response) => response.writeHead(503).end());
    await advance(52, 2);
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
    await list('/up', '/gate');
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
    expect(new Set(world.requestedUrls)).toEqual(new Set([url('/free'), url('/blocked')]));
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

  it('records the other endpoints when the database refuses a value of one', async () => {
    await list('/a', '/b', '/c', '/d', '/e');
    const probe = async () => {
      world.time += HALF_HOUR;
      const claimed = await claimDueSlots(world.context, DEFAULT_BATCH_LIMITS);
      return probeWithoutRecording(world.context, claimed, DEFAULT_BATCH_LIMITS);
    };
    const spoil = ({ observation, ...one }: ObservedProbe, change: Partial<typeof observation>) => ({
      ...one,
      observation: { ...observation, ...change },
    });
    // The database refuses the price of the provider with an error of class 22. Without the price, it accepts the
    // observation.
    const first = await probe();
    const refused = first.map((one, at) => (at === 2 ? spoil(one, { amountUsd: 'not a number' }) : one));
    expect(await recordProbes(world.context, refused)).toMatchObject({ recorded: 5, dropped: 0 });

    // An invalid value: the types do not allow null, and the database refuses it with a not-null violation (23502).
    const outcome = null as unknown as string;
    const second = await probe();
    // When the database refuses all rows, the cause is not a single row, so the whole batch fails.
    const allRefused = second.map((one) => spoil(one, { outcome }));
    await expect(recordProbes(world.context, allRefused)).rejects.toThrow('record_observations');
    const dropped = second.map((one, at) => (at === 2 ? spoil(one, { outcome }) : one));
    expect(await recordProbes(world.context, dropped)).toMatchObject({ recorded: 4, dropped: 1 });
  });
});
