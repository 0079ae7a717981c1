import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runWithClock, useFakeClock } from '../testing/fake-clock.ts';
import type { ObservedProbe } from './observe.ts';
import { startSliceRecorder, type SliceOptions } from './record.ts';
import { createObserved } from '../testing/observed.ts';

beforeEach(useFakeClock);
afterEach(() => vi.useRealTimers());

function createRecorder(change: Partial<SliceOptions> = {}) {
  const slices: string[][] = [];
  const toIds = (slice: readonly ObservedProbe[]): string[] =>
    slice.map(({ observation }) => observation.endpointId);
  const recorder = startSliceRecorder({
    sliceSize: 3,
    sliceSeconds: 60,
    filter: (slice) => Promise.resolve(slice),
    record: async (slice) => {
      await sleep(5);
      slices.push(toIds(slice));
      return { recorded: slice.length, dropped: 0, changed: 1, unstoredChallenges: 2 };
    },
    onFailure: () => undefined,
    ...change,
  });
  return { slices, recorder, add: (id: string) => recorder.add(createObserved({ endpointId: id })) };
}

it('records full slices in order at once, and the rest at the end', async () => {
  const { slices, recorder, add } = createRecorder();
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) add(id);
  await vi.advanceTimersByTimeAsync(50);
  expect(slices).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e', 'f'],
  ]);
  expect(await runWithClock(recorder.end())).toEqual({
    recorded: 7,
    dropped: 0,
    changed: 3,
    unstoredChallenges: 6,
  });
  expect(slices[2]).toEqual(['g']);
});

it('records an incomplete slice after the slice interval', async () => {
  const { slices, recorder, add } = createRecorder({ sliceSeconds: 0.02 });
  add('a');
  await vi.advanceTimersByTimeAsync(80);
  expect(slices).toEqual([['a']]);
  expect(await runWithClock(recorder.end())).toMatchObject({ recorded: 1 });
});

it('records nothing without results', async () => {
  const { slices, recorder } = createRecorder({ sliceSeconds: 0.01 });
  await vi.advanceTimersByTimeAsync(40);
  expect(await runWithClock(recorder.end())).toEqual({
    recorded: 0,
    dropped: 0,
    changed: 0,
    unstoredChallenges: 0,
  });
  expect(slices).toEqual([]);
});

it('reports a failure at once, records nothing more, and rejects with it at the end', async () => {
  let failures = 0;
  let tried = 0;
  const { recorder, add } = createRecorder({
    record: () => {
      tried += 1;
      return Promise.reject(new Error('no database'));
    },
    onFailure: () => {
      failures += 1;
    },
  });
  for (const id of ['a', 'b', 'c']) add(id);
  await vi.advanceTimersByTimeAsync(10);
  expect(failures).toBe(1);
  for (const id of ['d', 'e', 'f']) add(id);
  await expect(runWithClock(recorder.end())).rejects.toThrow('no database');
  expect(tried).toBe(1);
});
