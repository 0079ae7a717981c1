import fc from 'fast-check';
import { expect, test } from 'vitest';
import { told } from './test-endpoints.ts';
import { stateAt, timelineOf } from './timeline.ts';

const DAY_MS = 86_400_000;
const EPOCH = Date.parse('2026-01-01T00:00:00Z');

const timelineOfStory = (story: string) => timelineOf(told(story), EPOCH);
const onDay = (story: string, day: number) => stateAt(timelineOfStory(story), EPOCH + day * DAY_MS);

test('a phase begins with its first millisecond and changes only what it names', () => {
  const before = onDay('price-spike', 13 - 1 / DAY_MS);
  const after = onDay('price-spike', 13);
  expect(before.priceUsd).toBe('0.02');
  expect(after).toEqual({ ...before, from: EPOCH + 13 * DAY_MS, priceUsd: '0.4' });
});

test('phases build on each other', () => {
  expect([0, 4, 9, 12].map((day) => onDay('price-steps', day).priceUsd)).toEqual([
    '0.01',
    '0.012',
    '0.015',
    '0.0125',
  ]);
  expect([4, 6, 8].map((day) => onDay('relisted', day).listed)).toEqual([true, false, true]);
});

test('the first state holds before the epoch, the last for ever', () => {
  const timeline = timelineOfStory('delisted');
  expect(stateAt(timeline, 0)).toBe(timeline[0]);
  expect(stateAt(timeline, EPOCH + 9_999 * DAY_MS)).toBe(timeline.at(-1));
});

test('at any time exactly the latest phase that has begun holds', () => {
  const timeline = timelineOfStory('price-steps');
  fc.assert(
    fc.property(fc.integer({ min: EPOCH, max: EPOCH + 30 * DAY_MS }), (at) => {
      const state = stateAt(timeline, at);
      expect(state.from).toBeLessThanOrEqual(at);
      expect(timeline.filter(({ from }) => from > state.from && from <= at)).toEqual([]);
    }),
  );
});
