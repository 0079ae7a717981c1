import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runWithClock, useFakeClock } from './testing/fake-clock.ts';
import { createStartLimiter, type HostRateLimiter } from './host-rate-limiter.ts';

beforeEach(useFakeClock);
afterEach(() => vi.useRealTimers());

const neverAborted = new AbortController().signal;

/**
 * Requests all starts at the same time. Returns the requests in the order in which they were granted, with the
 * milliseconds of the fake clock that each request waited.
 */
async function startAll(
  limiter: Pick<HostRateLimiter, 'acquire'>,
  orders: readonly { host: string; isUrgent?: boolean }[],
) {
  const began = performance.now();
  const starts: { name: string; ms: number }[] = [];
  await runWithClock(
    Promise.all(
      orders.map(async ({ host, isUrgent = false }, index) => {
        await limiter.acquire({ host, isUrgent, signal: neverAborted });
        starts.push({ name: `${host}${index}`, ms: performance.now() - began });
      }),
    ),
  );
  return starts;
}

describe('starts', () => {
  it('keep the rate of one host without a delay for other hosts', async () => {
    const limiter = createStartLimiter({ perHostPerSecond: 20, perSecond: Infinity });
    const starts = await startAll(limiter, [{ host: 'a' }, { host: 'a' }, { host: 'b' }, { host: 'a' }]);
    expect(starts.map(({ name }) => name)).toEqual(['a0', 'b2', 'a1', 'a3']);
    expect(starts.map(({ ms }) => ms)).toEqual([0, 0, 50, 100]);
  });

  it('keep the overall rate in the order of the requests', async () => {
    const limiter = createStartLimiter({ perHostPerSecond: 1000, perSecond: 20 });
    const starts = await startAll(
      limiter,
      ['a', 'b', 'c', 'd', 'e'].map((host) => ({ host })),
    );
    expect(starts.map(({ name }) => name)).toEqual(['a0', 'b1', 'c2', 'd3', 'e4']);
    // The overall time may be up to 20 ms shorter, because a late timer does not delay the starts after it.
    expect(starts[4]?.ms).toBeGreaterThanOrEqual(4 * 50 - 20);
    expect(starts[4]?.ms).toBeLessThanOrEqual(4 * 50);
  });

  it('are granted to urgent requests before all other waiting requests', async () => {
    const limiter = createStartLimiter({ perHostPerSecond: 1000, perSecond: 50 });
    const ordinary = Array.from({ length: 20 }, (_, index) => ({ host: `o${index}-` }));
    const waiting = startAll(limiter, ordinary);
    const urgent = await startAll(limiter, [{ host: 'u', isUrgent: true }]);
    expect(urgent[0]?.ms).toBeLessThanOrEqual(20);
    expect(await waiting).toHaveLength(20);
  });

  it('are not delayed by an urgent request whose host allows no start', async () => {
    const limiter = createStartLimiter({ perHostPerSecond: 2, perSecond: Infinity });
    await startAll(limiter, [{ host: 'busy' }]);
    const urgent = startAll(limiter, [{ host: 'busy', isUrgent: true }]);
    const [other] = await startAll(limiter, [{ host: 'free' }]);
    expect(other?.ms).toBe(0);
    expect((await urgent)[0]?.ms).toBe(500);
  });

  it('are not used by cancelled requests', async () => {
    const limiter = createStartLimiter({ perHostPerSecond: 10, perSecond: 10 });
    await startAll(limiter, [{ host: 'a' }]);
    const stop = new AbortController();
    const requests = ['a', 'b', 'c'].map((host) =>
      limiter.acquire({ host, isUrgent: false, signal: stop.signal }),
    );
    stop.abort();
    expect(await Promise.all(requests)).toEqual([false, false, false]);
    expect(await limiter.acquire({ host: 'a', isUrgent: false, signal: stop.signal })).toBe(false);
    vi.advanceTimersByTime(100);
    const [next] = await startAll(limiter, [{ host: 'a' }]);
    expect(next?.ms).toBe(0);
  });

  it('are predicted by getDelayMs, which uses no start', async () => {
    const limiter = createStartLimiter({ perHostPerSecond: 1, perSecond: Infinity });
    expect([limiter.getDelayMs('a'), limiter.getDelayMs('a')]).toEqual([0, 0]);
    await startAll(limiter, [{ host: 'a' }]);
    expect(limiter.getDelayMs('a')).toBe(1_000);
    expect(limiter.getDelayMs('b')).toBe(0);
  });

  it('are granted exactly once for any order of requests', async () => {
    const order = fc.record({ host: fc.constantFrom('a', 'b', 'c'), isUrgent: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(order, { maxLength: 12 }), async (orders) => {
        const limiter = createStartLimiter({ perHostPerSecond: 500, perSecond: 1000 });
        const starts = await startAll(limiter, orders);
        expect(new Set(starts.map(({ name }) => name)).size).toBe(orders.length);
        for (const host of ['a', 'b', 'c']) {
          const own = starts.filter(({ name }) => name.startsWith(host));
          const last = own.at(-1);
          if (last !== undefined) expect(last.ms).toBeGreaterThanOrEqual((own.length - 1) * 2);
        }
      }),
      { numRuns: 30 },
    );
  });
});
