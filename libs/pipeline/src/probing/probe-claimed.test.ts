import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { canonicalize } from '@touchstone/catalog';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { createProber, type Prober } from '@touchstone/probe';
import { connect, createPublicStore } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import { discover } from '../discovery/discover.ts';
import { createHostRateLimiter } from './host-rate-limiter.ts';
import { scoreChanged } from '../scoring/score-changed.ts';
import { claimAndProbe, claimDueSlots, DEFAULT_BATCH_LIMITS, type BatchLimits } from './probe-due.ts';
import { challenge, createWorld, item, type World } from '../testing/world.ts';

const keys = createKeys();
const MINUTE = 60_000;
const HALF_HOUR = 30 * MINUTE;
let database: EmbeddedDatabase;
let world: World;
let tests = 0;

beforeAll(async () => {
  database = await startMigrated({ keys });
});
afterAll(() => database.close());
beforeEach(async () => {
  tests += 1;
  world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, tests, 1));
});
afterEach(() => world.close());

/** Returns a host name of the current test. Each test claims only slots of its own hosts. */
const toHost = (name: string): string => `${name}.t${tests}.example.com`;
const createContext = (change: Partial<PipelineContext> = {}): PipelineContext => ({
  ...world.context,
  hostSuffix: `.t${tests}.example.com`,
  ...change,
});
const withLimits = (change: Partial<BatchLimits>): BatchLimits => ({ ...DEFAULT_BATCH_LIMITS, ...change });
const countRequests = (name: string): number =>
  world.requestedUrls.filter((url) => url.startsWith(`http://${toHost(name)}/`)).length;

/** Adds the given number of endpoints per host to the catalog, and advances the time until all of them are due. */
async function list(hosts: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, count] of Object.entries(hosts)) {
    for (let index = 0; index < count; index += 1) {
      world.items.push(item(`http://${toHost(name)}/${name}/${index}`));
      world.handlers.set(`/${name}/${index}`, challenge);
    }
  }
  await discover(createContext());
  world.time += HALF_HOUR;
}

/** Sets the response of the first `count` endpoints of a host. */
function respond(name: string, count: number, handler: Parameters<typeof world.handlers.set>[1]): void {
  for (let index = 0; index < count; index += 1) world.handlers.set(`/${name}/${index}`, handler);
}

async function readSnapshot(name: string, index = 0) {
  await scoreChanged(createContext());
  const canonical = canonicalize(`http://${toHost(name)}/${name}/${index}`);
  if (!canonical.ok) throw new Error(canonical.reason);
  return createPublicStore({ url: database.url, key: keys.publishable }).snapshot(canonical.id);
}

/** Prober that cannot resolve any host name, so that no canary is reachable. */
const unreachable: Prober = createProber({
  resolver: () => Promise.reject(Object.assign(new Error('none'), { code: 'ESERVFAIL' })),
  userAgent: 'test',
});

describe('a batch', () => {
  it('without a reachable canary excludes misses from uptime and keeps responses', async () => {
    await list({ up: 3, cut: 4 });
    respond('cut', 4, (response) => response.destroy());
    const canaries = { urls: ['https://canary.example/'], prober: unreachable };
    expect(await claimAndProbe(createContext({ canaries }))).toMatchObject({
      claimed: 7,
      recorded: 7,
      excluded: 4,
    });
    expect(await readSnapshot('up')).toMatchObject({ uptime30d: 100, probes30d: 1 });
    expect(await readSnapshot('cut')).toMatchObject({ uptime30d: null });
    world.time += HALF_HOUR;
    expect(await claimAndProbe(createContext())).toMatchObject({ excluded: 0 });
    expect(await readSnapshot('cut')).toMatchObject({ uptime30d: 0 });
  });

  it('probes a canary after a miss, and counts the miss when the canary responds', async () => {
    await list({ cut: 2 });
    respond('cut', 2, (response) => response.destroy());
    const canaries = { urls: [`http://${toHost('canary')}/`], prober: world.context.prober };
    expect(await claimAndProbe(createContext({ canaries }))).toMatchObject({ recorded: 2, excluded: 0 });
    // The canary got one request per miss, or one for both misses if they arrived together.
    const requests = countRequests('canary');
    expect([1, 2]).toContain(requests);
    respond('cut', 2, challenge);
    world.time += HALF_HOUR;
    expect(await claimAndProbe(createContext({ canaries }))).toMatchObject({ recorded: 2 });
    expect(countRequests('canary')).toBe(requests);
  });

  it('skips the slots of a paused host until its pause ends', async () => {
    await list({ full: 12, open: 5 });
    const rateLimiter = createHostRateLimiter({ perHostPerSecond: 1000 });
    respond('full', 12, (response) => response.writeHead(429, { 'retry-after': '3000' }).end());
    const first = await claimAndProbe(createContext({ rateLimiter }));
    // The second of two concurrent probes may start before or after the first response.
    const requests = countRequests('full');
    expect([1, 2]).toContain(requests);
    expect(first).toMatchObject({ recorded: 5 + requests, skipped: 12 - requests, released: 0 });
    expect(countRequests('open')).toBe(5);
    // Skipped slots are not repeated: each endpoint is due again at its next slot, half an hour later.
    world.time += 10 * MINUTE;
    const second = await claimAndProbe(createContext({ rateLimiter }));
    world.time += 20 * MINUTE;
    const third = await claimAndProbe(createContext({ rateLimiter }));
    expect(second.skipped + third.skipped).toBe(12);
    expect(countRequests('full')).toBe(requests);
    world.time += HALF_HOUR;
    respond('full', 12, challenge);
    expect(await claimAndProbe(createContext({ rateLimiter }))).toMatchObject({ skipped: 0, released: 0 });
    expect(countRequests('full')).toBe(requests + 12);
  });

  it('is not delayed by a tarpit: slots not probed in time are due again at once and are no misses', async () => {
    await list({ tarpit: 20, quick: 10 });
    const tarpit = Promise.withResolvers<undefined>();
    respond('tarpit', 20, (response) => void tarpit.promise.then(() => response.writeHead(500).end()));
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const probing = claimAndProbe(createContext(), withLimits({ deadlineSeconds: 44 }));
    await expect.poll(() => countRequests('quick'), { timeout: 30_000 }).toBe(10);
    // The deadline of the batch passes before the tarpit responds.
    timers.mock.calls.find(([, ms]) => ms === 44_000)?.[0]();
    timers.mockRestore();
    tarpit.resolve(undefined);
    const first = await probing;
    expect(first.recorded + first.released).toBe(30);
    expect(first.released).toBeGreaterThan(5);
    expect(countRequests('quick')).toBe(10);
    respond('tarpit', 20, challenge);
    // The database query that claims slots also enforces the rate limit of the host, so the next claim is made a minute
    // later.
    world.time += MINUTE;
    const again = await claimAndProbe(createContext({ owner: 'other' }));
    expect(again.recorded).toBeGreaterThanOrEqual(first.released);
    const last = await readSnapshot('tarpit', 19);
    expect(last?.probes30d).toBeGreaterThan(0);
  });

  it('claims at most as many slots of one host as its rate limit allows in time', async () => {
    await list({ big: 80, small: 2 });
    const rateLimiter = createHostRateLimiter({ perHostPerSecond: 10 });
    const slow = createContext({ rateLimiter });
    const first = await claimAndProbe(slow, withLimits({ deadlineSeconds: 4 }));
    expect(first.claimed).toBe(42);
    expect(first.recorded + first.released).toBe(42);
    expect(countRequests('small')).toBe(2);
    expect(countRequests('big')).toBeGreaterThan(4);
    // The rate limit of a host covers all workers, so another worker can claim slots of the host only after four seconds.
    expect(
      await claimDueSlots(createContext({ rateLimiter, owner: 'other' }), withLimits({ deadlineSeconds: 1 })),
    ).toEqual([]);
    world.time += 4_000;
    expect(await claimAndProbe(slow, withLimits({ deadlineSeconds: 1 }))).toMatchObject({ claimed: 10 });
  });

  it('is recorded in slices: another worker repeats only the last slice of a dead worker', async () => {
    await list({ many: 30 });
    let probed = 0;
    const prober: Prober = (target) => {
      probed += 1;
      // Simulates a worker that dies after 25 probes: all later probes never end.
      return probed > 25 ? new Promise(() => undefined) : world.context.prober(target);
    };
    void claimAndProbe(
      createContext({ prober, owner: 'killed' }),
      withLimits({ sliceSize: 10, leaseSeconds: 1 }),
    );
    // The leases of the two recorded slices are deleted; those of the last slice remain.
    const countLeases = async (): Promise<number | null> => {
      const { count } = await world.context.db
        .from('leases')
        .select('*', { count: 'exact', head: true })
        .eq('owner', 'killed');
      return count;
    };
    await expect.poll(() => probed, { timeout: 30_000 }).toBeGreaterThan(25);
    await expect.poll(countLeases, { timeout: 30_000 }).toBe(10);
    expect(await claimAndProbe(createContext({ owner: 'other' }))).toMatchObject({ recorded: 0 });
    world.time += 2_000;
    expect(await claimAndProbe(createContext({ owner: 'other' }))).toMatchObject({
      recorded: 10,
      dropped: 0,
    });
    expect(await readSnapshot('many')).toMatchObject({ probes30d: 1 });
    expect(await readSnapshot('many', 29)).toMatchObject({ probes30d: 1 });
  });

  it('rejects when it cannot be recorded, and starts no further probes', async () => {
    await list({ many: 40 });
    const working = createContext();
    let probed = 0;
    const prober: Prober = async (target) => {
      probed += 1;
      await sleep(300);
      return world.context.prober(target);
    };
    const gone = connect({ url: 'http://127.0.0.1:9', key: keys.secret });
    // The database responds to the claim, but not to the call that records observations.
    const db = new Proxy(working.db, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        return name === 'rpc' && probed > 0 ? gone.rpc.bind(gone) : value;
      },
    });
    const failing = claimAndProbe({ ...working, db, prober }, withLimits({ sliceSize: 5, inFlight: 4 }));
    await expect(failing).rejects.toThrow(/record observations/);
    expect(probed).toBeLessThan(40);
  });

  it('reports the load of the process, and drops latencies measured while it was busy', async () => {
    await list({ busy: 4 });
    const calm = await claimAndProbe(createContext());
    expect(calm.cpuSeconds).toBeGreaterThan(0);
    expect(calm.cpuShare).toBeGreaterThan(0);
    expect(calm.lagMsMax).toBeGreaterThanOrEqual(calm.lagMsP99);
    world.time += HALF_HOUR;
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
