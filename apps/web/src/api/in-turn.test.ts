import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTurns } from './in-turn.ts';

describe('createTurns', () => {
  it('has so many tasks under way at once and no more, and loses none', async () => {
    const inTurn = createTurns({ atOnce: 3, mostWaiting: 100 });
    let underWay = 0;
    let most = 0;
    const results = await Promise.all(
      Array.from({ length: 20 }, async (_, number) =>
        inTurn(async () => {
          underWay += 1;
          most = Math.max(most, underWay);
          await sleep(2);
          underWay -= 1;
          return number;
        }),
      ),
    );
    expect(most).toBe(3);
    expect(results).toEqual(Array.from({ length: 20 }, (_, number) => number));
  });

  it('takes none where too many wait, and takes them again later', async () => {
    const inTurn = createTurns({ atOnce: 1, mostWaiting: 2 });
    const taken = [1, 2, 3].map(() => inTurn(() => sleep(5)));
    // The queue begins its first task in a moment of its own, so three may stand in it.
    await sleep(1);
    const more = [1, 2, 3].map(() => inTurn(() => sleep(5)));
    expect([...taken, ...more].filter((task) => task === null).length).toBeGreaterThanOrEqual(2);
    await Promise.all([...taken, ...more]);
    expect(inTurn(() => Promise.resolve('served'))).not.toBeNull();
  });

  it('goes on after a task that failed', async () => {
    const inTurn = createTurns({ atOnce: 1, mostWaiting: 5 });
    await expect(inTurn(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await inTurn(() => Promise.resolve('next'))).toBe('next');
  });
});
