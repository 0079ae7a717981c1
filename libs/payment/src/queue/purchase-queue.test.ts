import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPurchaseQueue,
  type PurchaseQueue,
  type PurchaseQueueOptions,
  type RunInSlot,
} from './purchase-queue.ts';

const createQueue = (options: Partial<PurchaseQueueOptions> = {}) =>
  createPurchaseQueue({
    maxSlots: 4,
    maxSlotsPerClient: 3,
    maxPurchases: 1_000,
    maxPurchasesPerClient: 500,
    ...options,
  });

const accept = async <T>(result: Promise<T> | null): Promise<T> => {
  if (result === null) throw new Error('the queue refused a purchase');
  return result;
};
const buy = <T>(queue: PurchaseQueue, client: string, task: () => Promise<T>): Promise<T> =>
  accept(queue.run(client, task));
/** Runs a purchase with several steps in a queue that must accept it. */
const buyInSteps = <T>(
  queue: PurchaseQueue,
  client: string,
  purchase: (inSlot: RunInSlot) => Promise<T>,
): Promise<T> => accept(queue.runPurchase(client, purchase));

/** Creates a promise that resolves when the test opens the gate. */
const createGate = () => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
};

/** Waits until all purchases that can start have started. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('createPurchaseQueue', () => {
  it('runs all purchases, and never more than its limits at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ client: fc.constantFrom('a', 'b', 'c'), steps: fc.nat(3) }), {
          maxLength: 60,
        }),
        fc.record({
          maxSlots: fc.integer({ min: 1, max: 4 }),
          maxSlotsPerClient: fc.integer({ min: 1, max: 3 }),
        }),
        async (purchases, limits) => {
          const queue = createQueue(limits);
          const held: string[] = [];
          const check = async (client: string): Promise<void> => {
            held.push(client);
            expect(held.length).toBeLessThanOrEqual(limits.maxSlots);
            expect(held.filter((other) => other === client).length).toBeLessThanOrEqual(
              limits.maxSlotsPerClient,
            );
            await Promise.resolve();
            held.splice(held.indexOf(client), 1);
          };
          const results = purchases.map(({ client, steps }, index) =>
            buyInSteps(queue, client, async (inSlot) => {
              for (let count = 0; count < steps; count += 1) {
                await inSlot(() => check(client));
                await Promise.resolve();
              }
              return index;
            }),
          );
          expect(await Promise.all(results)).toEqual(purchases.map((_, index) => index));
        },
      ),
    );
  });

  it('gives a purchase of another client a slot while one client holds and awaits many slots', async () => {
    const queue = createQueue();
    const { opened, open } = createGate();
    const slow = Array.from({ length: 200 }, () => buy(queue, 'attacker', () => opened));
    expect(await buy(queue, 'honest', () => Promise.resolve('bought'))).toBe('bought');
    open();
    await Promise.all(slow);
  });

  it('alternates between clients', async () => {
    const queue = createQueue({ maxSlots: 1, maxSlotsPerClient: 1 });
    const order: string[] = [];
    const purchases = ['a', 'a', 'a', 'a', 'b', 'c', 'b'].map((client) =>
      buy(queue, client, async () => {
        order.push(client);
        await Promise.resolve();
      }),
    );
    await Promise.all(purchases);
    expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('starts other purchases of the same client while purchases are between their steps', async () => {
    const queue = createQueue({ maxSlots: 1, maxSlotsPerClient: 1 });
    const { opened, open } = createGate();
    let finished = 0;
    const pending = Array.from({ length: 200 }, () =>
      buyInSteps(queue, 'attacker', async (inSlot) => {
        await inSlot(() => Promise.resolve());
        await opened;
        await inSlot(async () => {
          finished += 1;
        });
      }),
    );
    expect(await buy(queue, 'attacker', () => Promise.resolve('bought'))).toBe('bought');
    expect(finished).toBe(0);
    open();
    await Promise.all(pending);
    expect(finished).toBe(200);
  });

  it('continues a purchase before the waiting ones of its client', async () => {
    const queue = createQueue({ maxSlots: 1, maxSlotsPerClient: 1 });
    const [work, other] = [createGate(), createGate()];
    const order: string[] = [];
    const continued = buyInSteps(queue, 'a', async (inSlot) => {
      await inSlot(() => Promise.resolve());
      await work.opened;
      await inSlot(async () => void order.push('continued'));
    });
    const holding = buy(queue, 'a', () => other.opened);
    const waiting = buy(queue, 'a', async () => void order.push('waiting'));
    await settle();
    work.open();
    await settle();
    other.open();
    await Promise.all([continued, holding, waiting]);
    expect(order).toEqual(['continued', 'waiting']);
  });

  it('continues purchases of a client in the order in which they are ready', async () => {
    const queue = createQueue({ maxSlots: 1, maxSlotsPerClient: 1 });
    const other = createGate();
    const order: number[] = [];
    const works = [1, 2, 3].map((name) => ({ name, ...createGate() }));
    const bought = works.map(({ name, opened }) =>
      buyInSteps(queue, 'a', async (inSlot) => {
        await inSlot(() => Promise.resolve());
        await opened;
        await inSlot(async () => void order.push(name));
      }),
    );
    await settle();
    const holding = buy(queue, 'a', () => other.opened);
    await settle();
    for (const { open } of works) {
      open();
      await settle();
    }
    other.open();
    await Promise.all([...bought, holding]);
    expect(order).toEqual([1, 2, 3]);
  });

  it('refuses purchases above the limit of a client and of all clients', async () => {
    const queue = createQueue({ maxPurchases: 5, maxPurchasesPerClient: 3 });
    const { opened, open } = createGate();
    const results = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c'].map((client) =>
      queue.runPurchase(client, () => opened),
    );
    const isAccepted = [true, true, true, false, true, true, false, false];
    expect(results.map((result) => result !== null)).toEqual(isAccepted);
    open();
    await Promise.all(results.filter((result) => result !== null));
    expect(await buy(queue, 'c', () => Promise.resolve('bought'))).toBe('bought');
  });

  it('frees the slot of a purchase that fails', async () => {
    const queue = createQueue({ maxSlots: 1, maxSlotsPerClient: 1 });
    const fail = () => Promise.reject(new Error('failed'));
    await expect(buy(queue, 'a', fail)).rejects.toThrow('failed');
    await expect(buyInSteps(queue, 'a', fail)).rejects.toThrow('failed');
    expect(await buy(queue, 'a', () => Promise.resolve('next'))).toBe('next');
  });
});
