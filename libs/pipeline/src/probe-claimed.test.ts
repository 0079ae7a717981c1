import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canonicalize } from '@touchstone/catalog';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { createProber, type Prober } from '@touchstone/probe';
import { connect, createPublicStore } from '@touchstone/store';
import type { PipelineContext } from './context.ts';
import { discover } from './discover.ts';
import { createManners } from './manners.ts';
import { scoreChanged } from './score-changed.ts';
import { claim, sweep, SWEEP_LIMITS, type SweepLimits, type SweepSummary } from './sweep.ts';
import { challenge, createWorld, item, type World } from './testing/world.ts';

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

/** Each test has hosts of its own, and claims no others. */
const host = (name: string): string => `${name}.t${tests}.example.com`;
const own = (change: Partial<PipelineContext> = {}): PipelineContext => ({
  ...world.context,
  hostSuffix: `.t${tests}.example.com`,
  ...change,
});
const limited = (change: Partial<SweepLimits>): SweepLimits => ({ ...SWEEP_LIMITS, ...change });
const askedOf = (name: string): number =>
  world.asked.filter((url) => url.startsWith(`http://${host(name)}/`)).length;

/** Lists this many endpoints of a host, and makes all that are listed due. */
async function list(hosts: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, count] of Object.entries(hosts)) {
    for (let index = 0; index < count; index += 1) {
      world.items.push(item(`http://${host(name)}/${name}/${index}`));
      world.answers.set(`/${name}/${index}`, challenge);
    }
  }
  await discover(own());
  world.time += HALF_HOUR;
}

/** How the endpoints of a host answer from now on. */
function answer(name: string, count: number, how: Parameters<typeof world.answers.set>[1]): void {
  for (let index = 0; index < count; index += 1) world.answers.set(`/${name}/${index}`, how);
}

async function snapshotOf(name: string, index = 0) {
  await scoreChanged(own());
  const canonical = canonicalize(`http://${host(name)}/${name}/${index}`);
  if (!canonical.ok) throw new Error(canonical.reason);
  return createPublicStore({ url: database.url, key: keys.publishable }).snapshot(canonical.id);
}

/** Canaries that nobody can reach. */
const unreachable: Prober = createProber({
  resolver: () => Promise.reject(Object.assign(new Error('none'), { code: 'ESERVFAIL' })),
  userAgent: 'test',
});

describe('a batch', () => {
  it('in which no canary answered is nobody’s downtime, and keeps the answers that came', async () => {
    await list({ up: 3, cut: 4 });
    answer('cut', 4, (response) => response.destroy());
    const canaries = { urls: ['https://canary.example/'], prober: unreachable };
    expect(await sweep(own({ canaries }))).toMatchObject({ claimed: 7, recorded: 7, excluded: 4 });
    expect(await snapshotOf('up')).toMatchObject({ uptime30d: 100, probes30d: 1 });
    expect(await snapshotOf('cut')).toMatchObject({ uptime30d: null });
    world.time += HALF_HOUR;
    expect(await sweep(own())).toMatchObject({ excluded: 0 });
    expect(await snapshotOf('cut')).toMatchObject({ uptime30d: 0 });
  });

  it('asks a canary among the rest, and counts what was missed while it answered', async () => {
    await list({ cut: 2 });
    answer('cut', 2, (response) => response.destroy());
    const canaries = { urls: [`http://${host('canary')}/`], prober: world.context.prober };
    expect(await sweep(own({ canaries }))).toMatchObject({ recorded: 2, excluded: 0 });
    // Once for each miss at most, or for both where they come together; and while nothing is missed, not at all.
    const asked = askedOf('canary');
    expect([1, 2]).toContain(asked);
    answer('cut', 2, challenge);
    world.time += HALF_HOUR;
    expect(await sweep(own({ canaries }))).toMatchObject({ recorded: 2 });
    expect(askedOf('canary')).toBe(asked);
  });

  it('leaves a host alone that asks for a pause, until the pause is over', async () => {
    await list({ full: 12, open: 5 });
    const manners = createManners({ perHostPerSecond: 1000 });
    answer('full', 12, (response) => response.writeHead(429, { 'retry-after': '3000' }).end());
    const first = await sweep(own({ manners }));
    expect(first).toMatchObject({ recorded: 7, letGo: 10, handedBack: 0 });
    expect(askedOf('open')).toBe(5);
    expect(askedOf('full')).toBe(2);
    // Its slots are let go: they come again at their next time only, once each in half an hour.
    world.time += 10 * MINUTE;
    const second = await sweep(own({ manners }));
    world.time += 20 * MINUTE;
    const third = await sweep(own({ manners }));
    expect(second.letGo + third.letGo).toBe(12);
    expect(askedOf('full')).toBe(2);
    world.time += HALF_HOUR;
    answer('full', 12, challenge);
    expect(await sweep(own({ manners }))).toMatchObject({ letGo: 0, handedBack: 0 });
    expect(askedOf('full')).toBe(14);
  });

  it('is not held up by a tarpit: what was not asked in time is due again at once, and no miss', async () => {
    await list({ tarpit: 20, quick: 10 });
    answer('tarpit', 20, (response) => void sleep(200).then(() => response.writeHead(500).end()));
    const startedAt = performance.now();
    const first = await sweep(own(), limited({ deadlineSeconds: 0.5 }));
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    expect(first.recorded + first.handedBack).toBe(30);
    expect(first.handedBack).toBeGreaterThan(5);
    expect(askedOf('quick')).toBe(10);
    answer('tarpit', 20, challenge);
    // The database, too, gives a host its time before it hands out more of it.
    world.time += MINUTE;
    const again = await sweep(own({ owner: 'other' }));
    expect(again.recorded).toBeGreaterThanOrEqual(first.handedBack);
    const last = await snapshotOf('tarpit', 19);
    expect(last?.probes30d).toBeGreaterThan(0);
  });

  it('holds no more of one host than can be asked of it in time', async () => {
    await list({ big: 30, small: 2 });
    const manners = createManners({ perHostPerSecond: 10 });
    const slow = own({ manners });
    const first = await sweep(slow, limited({ deadlineSeconds: 1 }));
    expect(first.claimed).toBe(12);
    expect(first.recorded + first.handedBack).toBe(12);
    expect(askedOf('small')).toBe(2);
    expect(askedOf('big')).toBeGreaterThan(4);
    // The pace holds over all workers: until a second is over nobody else gets any of it.
    expect(await claim(own({ manners, owner: 'other' }), limited({ deadlineSeconds: 1 }))).toEqual([]);
    world.time += 1_000;
    expect(await sweep(slow, limited({ deadlineSeconds: 1 }))).toMatchObject({ claimed: 10 });
  });

  it('is recorded as it goes: what a worker took with it is little, and done once by another', async () => {
    await list({ many: 30 });
    let asked = 0;
    const prober: Prober = (target) => {
      asked += 1;
      // The worker is killed after 25 probes: neither of the others ever comes back.
      return asked > 25 ? new Promise(() => undefined) : world.context.prober(target);
    };
    void sweep(own({ prober, owner: 'killed' }), limited({ sliceSize: 10, leaseSeconds: 1 }));
    for (let waits = 0; asked < 26 && waits < 200; waits += 1) await sleep(20);
    await sleep(400);
    expect(await sweep(own({ owner: 'other' }))).toMatchObject({ recorded: 0 });
    world.time += 2_000;
    expect(await sweep(own({ owner: 'other' }))).toMatchObject({ recorded: 10, dropped: 0 });
    expect(await snapshotOf('many')).toMatchObject({ probes30d: 1 });
    expect(await snapshotOf('many', 29)).toMatchObject({ probes30d: 1 });
  });

  it('ends with the reason when it cannot be recorded, and asks no more in vain', async () => {
    await list({ many: 40 });
    const claims = own();
    let asked = 0;
    const prober: Prober = async (target) => {
      asked += 1;
      await sleep(10);
      return world.context.prober(target);
    };
    const gone = connect({ url: 'http://127.0.0.1:9', key: keys.secret });
    // It claims while the database is there and records when it is gone.
    const db = new Proxy(claims.db, {
      get: (target, name) => {
        const own: unknown = Reflect.get(target, name, target);
        return name === 'rpc' && asked > 0 ? gone.rpc.bind(gone) : own;
      },
    });
    const failing = sweep({ ...claims, db, prober }, limited({ sliceSize: 5, inFlight: 4 }));
    await expect(failing).rejects.toThrow(/record observations/);
    expect(asked).toBeLessThan(30);
  });

  it('measures its own effort, and keeps no time that it was too busy to measure', async () => {
    await list({ busy: 4 });
    const calm: SweepSummary = await sweep(own());
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
    const busy = await sweep(own({ prober }));
    expect(busy.lagMsP99).toBeGreaterThan(20);
    expect(busy).toMatchObject({ recorded: 4, latenciesDropped: 4 });
  });
});
