import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Observed } from './observe.ts';
import { startSliceRecorder, type SliceOptions } from './slice-recorder.ts';
import { observedOf } from './testing/observed.ts';

function recorderOf(change: Partial<SliceOptions> = {}) {
  const slices: string[][] = [];
  const ids = (slice: readonly Observed[]): string[] =>
    slice.map(({ observation }) => observation.endpointId);
  const recorder = startSliceRecorder({
    sliceSize: 3,
    sliceSeconds: 60,
    judge: (slice) => Promise.resolve(slice),
    record: async (slice) => {
      await sleep(5);
      slices.push(ids(slice));
      return { recorded: slice.length, dropped: 0, changed: 1, unkept: 2 };
    },
    onFailure: () => undefined,
    ...change,
  });
  return { slices, recorder, add: (id: string) => recorder.add(observedOf({ endpointId: id })) };
}

it('records as soon as a slice is full, in order, and the rest at the end', async () => {
  const { slices, recorder, add } = recorderOf();
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) add(id);
  await sleep(50);
  expect(slices).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e', 'f'],
  ]);
  expect(await recorder.end()).toEqual({ recorded: 7, dropped: 0, changed: 3, unkept: 6 });
  expect(slices[2]).toEqual(['g']);
});

it('does not wait for a slice to fill when its first is old', async () => {
  const { slices, recorder, add } = recorderOf({ sliceSeconds: 0.02 });
  add('a');
  await sleep(80);
  expect(slices).toEqual([['a']]);
  expect(await recorder.end()).toMatchObject({ recorded: 1 });
});

it('records nothing where there was nothing', async () => {
  const { slices, recorder } = recorderOf({ sliceSeconds: 0.01 });
  await sleep(40);
  expect(await recorder.end()).toEqual({ recorded: 0, dropped: 0, changed: 0, unkept: 0 });
  expect(slices).toEqual([]);
});

it('says at once that it cannot record, records nothing more, and says why at the end', async () => {
  let failures = 0;
  let tried = 0;
  const { recorder, add } = recorderOf({
    record: () => {
      tried += 1;
      return Promise.reject(new Error('no database'));
    },
    onFailure: () => {
      failures += 1;
    },
  });
  for (const id of ['a', 'b', 'c']) add(id);
  await sleep(10);
  expect(failures).toBe(1);
  for (const id of ['d', 'e', 'f']) add(id);
  await expect(recorder.end()).rejects.toThrow('no database');
  expect(tried).toBe(1);
});
