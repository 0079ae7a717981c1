import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { askInLanes, type LaneOrder } from './host-lanes.ts';
import { createManners } from './manners.ts';

interface Item {
  readonly host: string;
  readonly name: string;
}

const many = (host: string, count: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({ host, name: `${host}${index}` }));

/** Asks, and keeps count of how many are asked at the same time. */
function counting(takesMs: (item: Item) => number) {
  const now = new Map<string, number>();
  const most = new Map<string, number>();
  const asked: string[] = [];
  const add = (key: string, change: number): void => {
    now.set(key, (now.get(key) ?? 0) + change);
    most.set(key, Math.max(most.get(key) ?? 0, now.get(key) ?? 0));
  };
  const ask = async (item: Item): Promise<void> => {
    asked.push(item.name);
    for (const key of ['all', item.host]) add(key, 1);
    await sleep(takesMs(item));
    for (const key of ['all', item.host]) add(key, -1);
  };
  return { ask, asked, most };
}

const order = (
  change: Partial<LaneOrder<Item>> & Pick<LaneOrder<Item>, 'items' | 'ask'>,
): LaneOrder<Item> => ({
  limits: { inFlight: 10, perHost: 2 },
  manners: createManners({ perHostPerSecond: 10_000 }),
  now: () => 0,
  urgent: false,
  stop: new AbortController().signal,
  ...change,
});

describe('askInLanes', () => {
  it('asks everybody once, within both limits', async () => {
    const items = ['a', 'b', 'c', 'd', 'e'].flatMap((host) => many(host, 9));
    const { ask, asked, most } = counting(() => 3);
    const unasked = await askInLanes(order({ items, ask, limits: { inFlight: 5, perHost: 2 } }));
    expect(unasked).toEqual({ held: [], late: [] });
    expect(asked.toSorted()).toEqual(items.map(({ name }) => name).toSorted());
    expect(most.get('all')).toBe(5);
    for (const host of ['a', 'b', 'c', 'd', 'e']) expect(most.get(host)).toBeLessThanOrEqual(2);
  });

  it('keeps nobody waiting for a tarpit, and hands its rest back at the deadline', async () => {
    const items = [...many('tarpit', 40), ...many('quick', 20)];
    const { ask, asked } = counting(({ host }) => (host === 'tarpit' ? 120 : 1));
    const startedAt = performance.now();
    const stop = AbortSignal.timeout(300);
    const { held, late } = await askInLanes(order({ items, ask, stop, limits: { inFlight: 4, perHost: 2 } }));
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(asked.filter((name) => name.startsWith('quick'))).toHaveLength(20);
    expect(held).toEqual([]);
    expect(late.length).toBeGreaterThan(25);
    expect(late.map(({ name }) => name)).toEqual(
      items.map(({ name }) => name).filter((name) => !asked.includes(name)),
    );
  });

  it('does not wait for its turn beyond the deadline', async () => {
    const { ask, asked } = counting(() => 1);
    const startedAt = performance.now();
    const manners = createManners({ perHostPerSecond: 0.01 });
    const stop = AbortSignal.timeout(50);
    const { late } = await askInLanes(order({ items: many('a', 5), ask, manners, stop }));
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(asked).toEqual(['a0']);
    expect(late).toHaveLength(4);
  });

  it('leaves a host alone from the moment that it asks for a pause', async () => {
    const manners = createManners({ perHostPerSecond: 10_000 });
    const { ask, asked } = counting(() => 2);
    const { held, late } = await askInLanes(
      order({
        items: [...many('full', 30), ...many('open', 10)],
        manners,
        ask: async (item) => {
          await ask(item);
          if (item.host === 'full') manners.learn('full', { httpStatus: 429, retryAfterSeconds: 60 }, 0);
        },
      }),
    );
    expect(asked.filter((name) => name.startsWith('full'))).toHaveLength(2);
    expect(asked.filter((name) => name.startsWith('open'))).toHaveLength(10);
    expect(held).toHaveLength(28);
    expect(late).toEqual([]);
  });

  it('starts no faster than the host is to be asked', async () => {
    const { ask } = counting(() => 1);
    const startedAt = performance.now();
    await askInLanes(order({ items: many('a', 6), ask, manners: createManners({ perHostPerSecond: 20 }) }));
    expect(performance.now() - startedAt).toBeGreaterThan(240);
  });

  it('lets what is urgent go before what waits for the pace of this process', async () => {
    const manners = createManners({ perSecond: 40 });
    const [sweep, look] = [counting(() => 1), counting(() => 1)];
    const hosts = Array.from({ length: 120 }, (_, index) => many(`s${index}-`, 1)).flat();
    // The pace is taken for three seconds to come.
    const sweeping = askInLanes(order({ items: hosts, ask: sweep.ask, manners }));
    await sleep(200);
    const startedAt = performance.now();
    const misses = Array.from({ length: 20 }, (_, index) => many(`l${index}-`, 1)).flat();
    await askInLanes(order({ items: misses, ask: look.ask, manners, urgent: true }));
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    expect(look.asked).toHaveLength(20);
    expect(sweep.asked.length).toBeLessThan(60);
    await sweeping;
    expect(sweep.asked).toHaveLength(120);
  });

  it('loses no start to those that come too late for one, or had nothing left to ask', async () => {
    const manners = createManners({ perHostPerSecond: 4, perSecond: 50 });
    const { ask, asked } = counting(() => 1);
    const round = (name: string, ms: number) => {
      const items = Array.from({ length: 100 }, (_, index) => many(`${name}${index % 60}-`, 1)).flat();
      return askInLanes(order({ items, ask, manners, stop: AbortSignal.timeout(ms) }));
    };
    const startedAt = performance.now();
    for (const name of ['a', 'b', 'c']) await round(name, 500);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(asked.length).toBeGreaterThan(0.8 * 50 * seconds);
    expect(asked.length).toBeLessThanOrEqual(50 * seconds + 4);
  });

  it('starts no more than its pace after those in flight have kept everybody waiting', async () => {
    const manners = createManners({ perSecond: 50 });
    const starts: number[] = [];
    const items = Array.from({ length: 40 }, (_, index) => many(`h${index}-`, 1)).flat();
    const ask = async (): Promise<void> => {
      starts.push(performance.now());
      // The first of them take long, and end at the same time.
      if (starts.length <= 10) await sleep(700);
    };
    await askInLanes(order({ items, ask, manners }));
    const within = starts.map((at) => starts.filter((one) => one >= at && one < at + 100).length);
    expect(Math.max(...within)).toBeLessThanOrEqual(7);
  });

  it('starts nothing more when one cannot be asked, waits for the others, and says why', async () => {
    const { ask, asked } = counting(() => 20);
    let ended = 0;
    const failing = askInLanes(
      order({
        items: [...many('a', 20), ...many('b', 20)],
        ask: async (item) => {
          await ask(item);
          ended += 1;
          if (item.name === 'a1') throw new Error('no more');
        },
      }),
    );
    await expect(failing).rejects.toThrow('no more');
    expect(asked.length).toBeLessThan(12);
    expect(ended).toBe(asked.length);
  });
});
