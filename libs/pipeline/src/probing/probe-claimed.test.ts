import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createProber, type Prober } from '@touchstone/probe';
import type { PipelineContext } from '../context.ts';
import { discover } from '../discovery/discover.ts';
import { createFailingFetch } from '../testing/failing-fetch.ts';
import { toEndpointId } from '../testing/reports.ts';
import { createHostRateLimiter } from '../host-rate-limiter.ts';
import { scoreChanged } from '../scoring/score-changed.ts';
import { claimAndProbe, claimDueSlots, DEFAULT_BATCH_LIMITS, type BatchLimits } from './probe-due.ts';
import { challenge, item, useWorld } from '../testing/world.ts';

const MINUTE = 60_000;
const HALF_HOUR = 30 * MINUTE;
const POLL = { timeout: 30_000 };
const world = useWorld();

const createContext = (change: Partial<PipelineContext> = {}): PipelineContext => ({
  ...world.context,
  ...change,
});
const withLimits = (change: Partial<BatchLimits>): BatchLimits => ({ ...DEFAULT_BATCH_LIMITS, ...change });
const toResource = (name: string, index = 0): string => world.toUrl(`/${name}/${index}`, name);
const countRequests = (name: string): number =>
  world.requestedUrls.filter((url) => url.startsWith(world.toUrl('/', name))).length;

/** Adds the given number of endpoints per host to the catalog, and advances the time until all of them are due. */
async function list(hosts: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, count] of Object.entries(hosts)) {
    respond(name, count, challenge);
    for (let index = 0; index < count; index += 1) world.items.push(item(toResource(name, index)));
  }
  await discover(world.context);
  world.time += HALF_HOUR;
}

/** Sets the response of the first `count` endpoints of a host. */
function respond(name: string, count: number, handler: Parameters<typeof world.handlers.set>[1]): void {
  for (let index = 0; index < count; index += 1) world.handlers.set(`/${name}/${index}`, handler);
}

async function readSnapshot(name: string, index = 0) {
  await scoreChanged(world.context);
  return world.publicStore.readSnapshot(toEndpointId(toResource(name, index)));
}

/** Prober that cannot resolve any host name, so that no canary is reachable. */
const unreachable: Prober = createProber({
  resolver: () => Promise.reject(Object.assign(new Error('none'), { code: 'ESERVFAIL' })),
  userAgent: 'test',
});

describe('a batch', () => {
  it.each([
    [
      'excludes a miss from uptime while no canary responds',
      () => unreachable,
      { excluded: 1, uptime: null },
    ],
    ['counts a miss when a canary responds', () => world.context.prober, { excluded: 0, uptime: 0 }],
  ])('%s, and keeps responses', async (_, getProber, { excluded, uptime }) => {
    await list({ up: 3, cut: 1 });
    respond('cut', 1, (response) => response.destroy());
    const canaries = { urls: [world.toUrl('/', 'canary')], prober: getProber() };
    expect(await claimAndProbe(createContext({ canaries }))).toMatchObject({ recorded: 4, excluded });
    expect(countRequests('canary')).toBe(1 - excluded);
    expect(await readSnapshot('up')).toMatchObject({ uptime30d: 100, probes30d: 1 });
    expect(await readSnapshot('cut')).toMatchObject({ uptime30d: uptime });
  });

  it('skips the slots of a paused host until its pause ends', async () => {
    await list({ full: 12, open: 5 });
    const rateLimiter = createHostRateLimiter({ perHostPerSecond: 1000 });
    const probe = () => claimAndProbe(createContext({ rateLimiter }));
    respond('full', 12, (response) => response.writeHead(429, { 'retry-after': '3000' }).end());
    const first = await probe();
    // The second of two concurrent probes may start before or after the first response.
    const requests = countRequests('full');
    expect([1, 2]).toContain(requests);
    expect(first).toMatchObject({ recorded: 5 + requests, skipped: 12 - requests, released: 0 });
    // Skipped slots are not repeated: each endpoint is due again at its next slot, half an hour later.
    world.time += HALF_HOUR;
    expect((await probe()).skipped).toBe(12);
    expect(countRequests('full')).toBe(requests);
    world.time += HALF_HOUR;
    respond('full', 12, challenge);
    expect(await probe()).toMatchObject({ skipped: 0, released: 0 });
    expect(countRequests('full')).toBe(requests + 12);
  });

  it('is not delayed by a tarpit: slots not probed in time are due again at once and are no misses', async () => {
    await list({ tarpit: 20, quick: 10 });
    const tarpit = Promise.withResolvers<undefined>();
    respond('tarpit', 20, (response) => void tarpit.promise.then(() => response.writeHead(500).end()));
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const probing = claimAndProbe(createContext(), withLimits({ deadlineSeconds: 44 }));
    await expect.poll(() => countRequests('quick'), POLL).toBe(10);
    // The deadline of the batch passes before the tarpit responds.
    timers.mock.calls.find(([, ms]) => ms === 44_000)?.[0]();
    timers.mockRestore();
    tarpit.resolve(undefined);
    const first = await probing;
    expect(first.recorded + first.released).toBe(30);
    expect(first.released).toBeGreaterThan(5);
    respond('tarpit', 20, challenge);
    // The database query that claims slots also enforces the rate limit of the host, so the next claim is made a minute
    // later.
    world.time += MINUTE;
    const again = await claimAndProbe(createContext({ owner: 'other' }));
    expect(again.recorded).toBeGreaterThanOrEqual(first.released);
    expect((await readSnapshot('tarpit', 19))?.probes30d).toBeGreaterThan(0);
  });

  it('claims at most as many slots of one host as its rate limit allows in time, over all workers', async () => {
    await list({ big: 80, small: 2 });
    const context = createContext({ rateLimiter: createHostRateLimiter({ perHostPerSecond: 10 }) });
    const claim = (owner: string, deadlineSeconds: number) =>
      claimDueSlots({ ...context, owner }, withLimits({ deadlineSeconds }));
    expect(await claim('one', 4)).toHaveLength(42);
    expect(await claim('other', 1)).toEqual([]);
    world.time += 4_000;
    expect(await claim('other', 1)).toHaveLength(10);
  });

  it('is recorded in slices: another worker repeats only the last slice of a dead worker', async () => {
    await list({ many: 30 });
    let probed = 0;
    const prober: Prober = (target) => {
      probed += 1;
      // Simulates a worker that is killed after 25 probes: all later probes never end.
      return probed > 25 ? new Promise(() => undefined) : world.context.prober(target);
    };
    void claimAndProbe(
      createContext({ prober, owner: 'killed' }),
      withLimits({ sliceSize: 10, leaseSeconds: 1 }),
    );
    // The leases of the two recorded slices are deleted. The leases of the last slice remain.
    const countLeases = async (): Promise<number | null> => {
      const leases = world.context.db.from('leases').select('*', { count: 'exact', head: true });
      return (await leases.eq('owner', 'killed')).count;
    };
    await expect.poll(() => probed, POLL).toBeGreaterThan(25);
    await expect.poll(countLeases, POLL).toBe(10);
    const repeat = () => claimAndProbe(createContext({ owner: 'other' }));
    expect(await repeat()).toMatchObject({ recorded: 0 });
    world.time += 2_000;
    expect(await repeat()).toMatchObject({ recorded: 10, dropped: 0 });
    expect(await readSnapshot('many')).toMatchObject({ probes30d: 1 });
    expect(await readSnapshot('many', 29)).toMatchObject({ probes30d: 1 });
  });

  it('rejects when it cannot be recorded, and starts no further probes', async () => {
    await list({ many: 40 });
    const failed = Promise.withResolvers<undefined>();
    const failingFetch = createFailingFetch(['record_observations']);
    const db = world.connect(async (input, init) => {
      const response = await failingFetch(input, init);
      if (!response.ok) failed.resolve(undefined);
      return response;
    });
    let probed = 0;
    const prober: Prober = async (target) => {
      probed += 1;
      if (probed > 5) await failed.promise;
      return world.context.prober(target);
    };
    const failing = claimAndProbe(createContext({ db, prober }), withLimits({ sliceSize: 5, inFlight: 4 }));
    await expect(failing).rejects.toThrow(/record_observations/);
    expect(probed).toBeLessThan(40);
  });

  it('reports the load of the process, and drops latencies measured while it was busy', async () => {
    await list({ busy: 4 });
    const prober: Prober = async (target) => {
      const probe = await world.context.prober(target);
      const until = performance.now() + 60;
      while (performance.now() < until);
      await sleep(30);
      return probe;
    };
    const busy = await claimAndProbe(createContext({ prober }));
    expect(busy.lagMsP99).toBeGreaterThan(20);
    expect(busy).toMatchObject({ recorded: 4, latenciesDropped: 4 });
  });
});
