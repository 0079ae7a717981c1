import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTaskQueue } from './task-queue.ts';

describe('createTaskQueue', () => {
  it('runs every task, at most maxConcurrent at the same time', async () => {
    const enqueue = createTaskQueue({ maxConcurrent: 3, maxWaiting: 100 });
    let running = 0;
    let maximum = 0;
    const results = await Promise.all(
      Array.from({ length: 20 }, async (_, number) =>
        enqueue(async () => {
          running += 1;
          maximum = Math.max(maximum, running);
          await sleep(2);
          running -= 1;
          return number;
        }),
      ),
    );
    expect(maximum).toBe(3);
    expect(results).toEqual(Array.from({ length: 20 }, (_, number) => number));
  });

  it('refuses tasks while the queue is full, and accepts them later', async () => {
    const enqueue = createTaskQueue({ maxConcurrent: 1, maxWaiting: 2 });
    const first = [1, 2, 3].map(() => enqueue(() => sleep(5)));
    // The queue starts its first task asynchronously. After this pause, that task no longer counts as waiting.
    await sleep(1);
    const second = [1, 2, 3].map(() => enqueue(() => sleep(5)));
    expect([...first, ...second].filter((task) => task === null).length).toBeGreaterThanOrEqual(2);
    await Promise.all([...first, ...second]);
    expect(enqueue(() => Promise.resolve('done'))).not.toBeNull();
  });

  it('continues after a failed task', async () => {
    const enqueue = createTaskQueue({ maxConcurrent: 1, maxWaiting: 5 });
    await expect(enqueue(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await enqueue(() => Promise.resolve('next'))).toBe('next');
  });
});
