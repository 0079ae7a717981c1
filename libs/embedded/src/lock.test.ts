import { expect, it } from 'vitest';
import { createLock } from './lock.ts';

/** Starts tasks while the lock is held, and returns their names in the order in which they run. */
async function run(names: readonly string[]): Promise<readonly string[]> {
  const lock = createLock();
  const order: string[] = [];
  let open = (): void => undefined;
  const held = lock(() => new Promise<void>((resolve) => (open = resolve)));
  const tasks = names.map((name) =>
    lock(() => Promise.resolve(order.push(name)), { isUrgent: name.startsWith('purchase') }),
  );
  open();
  await Promise.all([held, ...tasks]);
  return order;
}

it('runs tasks of purchases first, and tasks of the same kind in the order of their calls', async () => {
  expect(await run(['search 1', 'search 2', 'purchase 1', 'job', 'purchase 2'])).toEqual([
    ...['purchase 1', 'purchase 2', 'search 1', 'search 2', 'job'],
  ]);
});

it('runs one other task after eight tasks of purchases', async () => {
  const purchases = Array.from({ length: 20 }, (_, index) => `purchase ${index}`);
  const order = await run(['search 1', 'search 2', 'search 3', ...purchases]);
  expect(order.flatMap((name, index) => (name.startsWith('search') ? [index] : []))).toEqual([8, 17, 22]);
});

it('runs the next task after a task that fails', async () => {
  const lock = createLock();
  const failed = lock(() => Promise.reject(new Error('refused')));
  const next = lock(() => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('refused');
  expect(await next).toBe('done');
});
