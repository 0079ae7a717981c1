import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPace, type Pace } from './pace.ts';

const never = new AbortController().signal;

/** Asks for starts all at once; what comes back is who started when, in milliseconds since then. */
async function startAll(pace: Pace, orders: readonly { host: string; urgent?: boolean }[]) {
  const began = performance.now();
  const starts: { name: string; ms: number }[] = [];
  await Promise.all(
    orders.map(async ({ host, urgent = false }, index) => {
      await pace.start({ host, urgent, signal: never });
      starts.push({ name: `${host}${index}`, ms: performance.now() - began });
    }),
  );
  return starts;
}

describe('starts', () => {
  it('are as many a second at one host as is set, and others are not kept waiting', async () => {
    const pace = createPace({ perHostPerSecond: 20, perSecond: Infinity });
    const starts = await startAll(pace, [{ host: 'a' }, { host: 'a' }, { host: 'b' }, { host: 'a' }]);
    expect(starts.map(({ name }) => name)).toEqual(['a0', 'b2', 'a1', 'a3']);
    expect(starts[1]?.ms).toBeLessThan(45);
    expect(starts[2]?.ms).toBeGreaterThanOrEqual(49);
    expect(starts[3]?.ms).toBeGreaterThanOrEqual(98);
  });

  it('are as many a second in all as is set, in the order in which they were asked for', async () => {
    const pace = createPace({ perHostPerSecond: 1000, perSecond: 20 });
    const starts = await startAll(
      pace,
      ['a', 'b', 'c', 'd', 'e'].map((host) => ({ host })),
    );
    expect(starts.map(({ name }) => name)).toEqual(['a0', 'b1', 'c2', 'd3', 'e4']);
    // A timer may be late once without the next being so.
    expect(starts[4]?.ms).toBeGreaterThanOrEqual(4 * 50 - 21);
  });

  it('that are urgent go before all that wait already', async () => {
    const pace = createPace({ perHostPerSecond: 1000, perSecond: 50 });
    const ordinary = Array.from({ length: 20 }, (_, index) => ({ host: `o${index}-` }));
    const waiting = startAll(pace, ordinary);
    const urgent = await startAll(pace, [{ host: 'u', urgent: true }]);
    expect(urgent[0]?.ms).toBeLessThan(60);
    expect(await waiting).toHaveLength(20);
  });

  it('do not wait for something urgent whose host has to be left in peace', async () => {
    const pace = createPace({ perHostPerSecond: 2, perSecond: Infinity });
    await startAll(pace, [{ host: 'busy' }]);
    const urgent = startAll(pace, [{ host: 'busy', urgent: true }]);
    const [other] = await startAll(pace, [{ host: 'free' }]);
    expect(other?.ms).toBeLessThan(100);
    expect((await urgent)[0]?.ms).toBeGreaterThan(350);
  });

  it('that nobody waits for any more are not taken', async () => {
    const pace = createPace({ perHostPerSecond: 10, perSecond: 10 });
    await startAll(pace, [{ host: 'a' }]);
    const stop = new AbortController();
    const given = ['a', 'b', 'c'].map((host) => pace.start({ host, urgent: false, signal: stop.signal }));
    stop.abort();
    expect(await Promise.all(given)).toEqual([false, false, false]);
    expect(await pace.start({ host: 'a', urgent: false, signal: stop.signal })).toBe(false);
    await sleep(110);
    const [next] = await startAll(pace, [{ host: 'a' }]);
    expect(next?.ms).toBeLessThan(50);
  });

  it('are announced by the rest of a host, which takes nothing', async () => {
    const pace = createPace({ perHostPerSecond: 1, perSecond: Infinity });
    expect([pace.restMs('a'), pace.restMs('a')]).toEqual([0, 0]);
    await startAll(pace, [{ host: 'a' }]);
    expect(pace.restMs('a')).toBeGreaterThan(900);
    expect(pace.restMs('b')).toBe(0);
  });

  it('come all and once, whatever is asked for in whatever order', async () => {
    const order = fc.record({ host: fc.constantFrom('a', 'b', 'c'), urgent: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(order, { maxLength: 12 }), async (orders) => {
        const pace = createPace({ perHostPerSecond: 500, perSecond: 1000 });
        const starts = await startAll(pace, orders);
        expect(new Set(starts.map(({ name }) => name)).size).toBe(orders.length);
        for (const host of ['a', 'b', 'c']) {
          const own = starts.filter(({ name }) => name.startsWith(host));
          const last = own.at(-1);
          if (last !== undefined) expect(last.ms).toBeGreaterThanOrEqual((own.length - 1) * 2 - 0.1);
        }
      }),
      { numRuns: 30 },
    );
  });
});
