import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { abortAfter, runWithClock, useFakeClock } from '../testing/fake-clock.ts';
import { runHostQueues, type HostQueueRun } from './host-queues.ts';
import { createHostRateLimiter } from '../host-rate-limiter.ts';

beforeEach(useFakeClock);
afterEach(() => vi.useRealTimers());

interface Item {
  readonly host: string;
  readonly name: string;
}

const many = (host: string, count: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({ host, name: `${host}${index}` }));

/** Creates a probe function that records the probed items and the maximum number of concurrent probes. */
function counting(takesMs: (item: Item) => number) {
  const now = new Map<string, number>();
  const max = new Map<string, number>();
  const probed: string[] = [];
  const add = (key: string, change: number): void => {
    now.set(key, (now.get(key) ?? 0) + change);
    max.set(key, Math.max(max.get(key) ?? 0, now.get(key) ?? 0));
  };
  const probe = async (item: Item): Promise<void> => {
    probed.push(item.name);
    for (const key of ['all', item.host]) add(key, 1);
    await sleep(takesMs(item));
    for (const key of ['all', item.host]) add(key, -1);
  };
  return { probe, probed, max };
}

const order = (
  change: Partial<HostQueueRun<Item>> & Pick<HostQueueRun<Item>, 'items' | 'probe'>,
): HostQueueRun<Item> => ({
  limits: { inFlight: 10, perHost: 2 },
  rateLimiter: createHostRateLimiter({ perHostPerSecond: 10_000 }),
  now: () => 0,
  isUrgent: false,
  stop: new AbortController().signal,
  ...change,
});

/** Runs the queues while the fake clock advances. */
const runQueues = (run: HostQueueRun<Item>): ReturnType<typeof runHostQueues<Item>> =>
  runWithClock(runHostQueues(run));

describe('runHostQueues', () => {
  it('probes each item once within both concurrency limits', async () => {
    const items = ['a', 'b', 'c', 'd', 'e'].flatMap((host) => many(host, 9));
    const { probe, probed, max } = counting(() => 3);
    const unprobed = await runQueues(order({ items, probe, limits: { inFlight: 5, perHost: 2 } }));
    expect(unprobed).toEqual({ paused: [], late: [] });
    expect(probed.toSorted()).toEqual(items.map(({ name }) => name).toSorted());
    expect(max.get('all')).toBe(5);
    for (const host of ['a', 'b', 'c', 'd', 'e']) expect(max.get(host)).toBeLessThanOrEqual(2);
  });

  it('does not delay other hosts for a tarpit, and returns its remaining items at the deadline', async () => {
    const items = [...many('tarpit', 40), ...many('quick', 20)];
    const { probe, probed } = counting(({ host }) => (host === 'tarpit' ? 120 : 1));
    const startedAt = performance.now();
    const stop = abortAfter(300);
    const { paused, late } = await runQueues(
      order({ items, probe, stop, limits: { inFlight: 4, perHost: 2 } }),
    );
    expect(performance.now() - startedAt).toBeLessThanOrEqual(300 + 120);
    expect(probed.filter((name) => name.startsWith('quick'))).toHaveLength(20);
    expect(paused).toEqual([]);
    expect(late.length).toBeGreaterThan(25);
    expect(late.map(({ name }) => name)).toEqual(
      items.map(({ name }) => name).filter((name) => !probed.includes(name)),
    );
  });

  it('does not wait for the rate limiter beyond the deadline', async () => {
    const { probe, probed } = counting(() => 1);
    const startedAt = performance.now();
    const rateLimiter = createHostRateLimiter({ perHostPerSecond: 0.01 });
    const stop = abortAfter(50);
    const { late } = await runQueues(order({ items: many('a', 5), probe, rateLimiter, stop }));
    expect(performance.now() - startedAt).toBe(50);
    expect(probed).toEqual(['a0']);
    expect(late).toHaveLength(4);
  });

  it('starts no further probe of a host that becomes paused', async () => {
    const rateLimiter = createHostRateLimiter({ perHostPerSecond: 10_000 });
    const { probe, probed } = counting(() => 2);
    const { paused, late } = await runQueues(
      order({
        items: [...many('full', 30), ...many('open', 10)],
        rateLimiter,
        probe: async (item) => {
          await probe(item);
          if (item.host === 'full')
            rateLimiter.recordResponse('full', { httpStatus: 429, retryAfterSeconds: 60 }, 0);
        },
      }),
    );
    expect(probed.filter((name) => name.startsWith('full'))).toHaveLength(2);
    expect(probed.filter((name) => name.startsWith('open'))).toHaveLength(10);
    expect(paused).toHaveLength(28);
    expect(late).toEqual([]);
  });

  it('starts an urgent run before items that wait for the overall rate limit', async () => {
    const rateLimiter = createHostRateLimiter({ perSecond: 40 });
    const [ordinary, urgent] = [counting(() => 1), counting(() => 1)];
    const hosts = Array.from({ length: 120 }, (_, index) => many(`s${index}-`, 1)).flat();
    // These items use up the overall rate limit for the next three seconds.
    const running = runQueues(order({ items: hosts, probe: ordinary.probe, rateLimiter }));
    await sleep(200);
    const startedAt = performance.now();
    const misses = Array.from({ length: 20 }, (_, index) => many(`l${index}-`, 1)).flat();
    await runQueues(order({ items: misses, probe: urgent.probe, rateLimiter, isUrgent: true }));
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(urgent.probed).toHaveLength(20);
    expect(ordinary.probed.length).toBeLessThan(60);
    await running;
    expect(ordinary.probed).toHaveLength(120);
  });

  it('loses no start to a cancelled run or an empty queue', async () => {
    const rateLimiter = createHostRateLimiter({ perHostPerSecond: 4, perSecond: 50 });
    const { probe, probed } = counting(() => 1);
    const round = (name: string, ms: number) => {
      const items = Array.from({ length: 100 }, (_, index) => many(`${name}${index % 60}-`, 1)).flat();
      return runQueues(order({ items, probe, rateLimiter, stop: abortAfter(ms) }));
    };
    const startedAt = performance.now();
    for (const name of ['a', 'b', 'c']) await round(name, 500);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(probed.length).toBeGreaterThan(0.8 * 50 * seconds);
    expect(probed.length).toBeLessThanOrEqual(50 * seconds + 4);
  });

  it('keeps the overall rate limit after probes in flight blocked all workers', async () => {
    const rateLimiter = createHostRateLimiter({ perSecond: 50 });
    const starts: number[] = [];
    const items = Array.from({ length: 40 }, (_, index) => many(`h${index}-`, 1)).flat();
    const probe = async (): Promise<void> => {
      starts.push(performance.now());
      // The first ten probes take 700 ms and end at the same time, so all workers become free at the same time.
      if (starts.length <= 10) await sleep(700);
    };
    await runQueues(order({ items, probe, rateLimiter }));
    const within = starts.map((at) => starts.filter((one) => one >= at && one < at + 100).length);
    expect(Math.max(...within)).toBeLessThanOrEqual(7);
  });

  it('starts no further probe after a failure, awaits probes in flight, and rejects with the failure', async () => {
    const { probe, probed } = counting(() => 20);
    let ended = 0;
    const failing = runQueues(
      order({
        items: [...many('a', 20), ...many('b', 20)],
        probe: async (item) => {
          await probe(item);
          ended += 1;
          if (item.name === 'a1') throw new Error('no more');
        },
      }),
    );
    await expect(failing).rejects.toThrow('no more');
    expect(probed.length).toBeLessThan(12);
    expect(ended).toBe(probed.length);
  });
});
