import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPurchaseQueue,
  type PurchaseQueue,
  type PurchaseQueueOptions,
  type Turn,
} from './purchase-queue.ts';

const createQueue = (options: Partial<PurchaseQueueOptions> = {}) =>
  createPurchaseQueue({
    maxTurns: 4,
    maxTurnsPerClient: 3,
    maxPurchases: 1_000,
    maxPurchasesPerClient: 500,
    ...options,
  });

/** Runs a purchase in a queue that must accept it. */
const buy = async <T>(
  queue: PurchaseQueue,
  client: string,
  purchase: (turn: Turn) => Promise<T>,
): Promise<T> => {
  const result = queue.run(client, purchase);
  if (result === null) throw new Error('the queue refused a purchase');
  return result;
};

/** Creates a promise that the test ends. */
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
        fc.array(fc.record({ client: fc.constantFrom('a', 'b', 'c'), releases: fc.nat(2) }), {
          maxLength: 60,
        }),
        fc.record({
          maxTurns: fc.integer({ min: 1, max: 4 }),
          maxTurnsPerClient: fc.integer({ min: 1, max: 3 }),
        }),
        async (purchases, limits) => {
          const queue = createQueue(limits);
          const held: string[] = [];
          const check = async (client: string): Promise<void> => {
            held.push(client);
            expect(held.length).toBeLessThanOrEqual(limits.maxTurns);
            expect(held.filter((other) => other === client).length).toBeLessThanOrEqual(
              limits.maxTurnsPerClient,
            );
            await Promise.resolve();
            held.splice(held.indexOf(client), 1);
          };
          const results = purchases.map(({ client, releases }, index) =>
            buy(queue, client, async (turn) => {
              await check(client);
              for (let count = 0; count < releases; count += 1) {
                await turn.release(() => Promise.resolve());
                await check(client);
              }
              return index;
            }),
          );
          expect(await Promise.all(results)).toEqual(purchases.map((_, index) => index));
        },
      ),
    );
  });

  it('gives a purchase of another client a turn while one client holds and awaits many', async () => {
    const queue = createQueue();
    const { opened, open } = createGate();
    const slow = Array.from({ length: 200 }, () => buy(queue, 'attacker', () => opened));
    expect(await buy(queue, 'honest', () => Promise.resolve('bought'))).toBe('bought');
    open();
    await Promise.all(slow);
  });

  it('takes turns between clients', async () => {
    const queue = createQueue({ maxTurns: 1, maxTurnsPerClient: 1 });
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

  it('starts other purchases of the same client while turns are released', async () => {
    const queue = createQueue({ maxTurns: 1, maxTurnsPerClient: 1 });
    const { opened, open } = createGate();
    let finished = 0;
    const pending = Array.from({ length: 200 }, () =>
      buy(queue, 'attacker', async (turn) => {
        await turn.release(() => opened);
        finished += 1;
      }),
    );
    expect(await buy(queue, 'attacker', () => Promise.resolve('bought'))).toBe('bought');
    expect(finished).toBe(0);
    open();
    await Promise.all(pending);
    expect(finished).toBe(200);
  });

  it('continues a released purchase before the waiting ones of its client', async () => {
    const queue = createQueue({ maxTurns: 1, maxTurnsPerClient: 1 });
    const [probe, other] = [createGate(), createGate()];
    const order: string[] = [];
    const released = buy(queue, 'a', async (turn) => {
      await turn.release(() => probe.opened);
      order.push('released');
    });
    const holding = buy(queue, 'a', () => other.opened);
    const waiting = buy(queue, 'a', async () => {
      order.push('waiting');
    });
    await settle();
    probe.open();
    await settle();
    other.open();
    await Promise.all([released, holding, waiting]);
    expect(order).toEqual(['released', 'waiting']);
  });

  it('refuses purchases above the limit of a client and of all clients', async () => {
    const queue = createQueue({ maxPurchases: 5, maxPurchasesPerClient: 3 });
    const { opened, open } = createGate();
    const results = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c'].map((client) =>
      queue.run(client, (turn) => turn.release(() => opened)),
    );
    const isAccepted = [true, true, true, false, true, true, false, false];
    expect(results.map((result) => result !== null)).toEqual(isAccepted);
    open();
    await Promise.all(results.filter((result) => result !== null));
    expect(await buy(queue, 'c', () => Promise.resolve('bought'))).toBe('bought');
  });

  it('frees the turn of a purchase that fails, also in its released work', async () => {
    const queue = createQueue({ maxTurns: 1, maxTurnsPerClient: 1 });
    const fail = () => Promise.reject(new Error('failed'));
    await expect(buy(queue, 'a', fail)).rejects.toThrow('failed');
    await expect(buy(queue, 'a', (turn) => turn.release(fail))).rejects.toThrow('failed');
    expect(await buy(queue, 'a', () => Promise.resolve('next'))).toBe('next');
  });

  it('frees the turn of a purchase that ends before its released work', async () => {
    const queue = createQueue({ maxTurns: 1, maxTurnsPerClient: 1 });
    const { opened, open } = createGate();
    let late: Promise<void> | undefined;
    let kept: Turn | undefined;
    await buy(queue, 'a', async (turn) => {
      kept = turn;
      late = turn.release(() => opened);
    });
    open();
    await late;
    expect(await kept?.release(() => Promise.resolve('without a turn'))).toBe('without a turn');
    expect(await buy(queue, 'b', () => Promise.resolve('next'))).toBe('next');
  });
});
