import { DAY_MS } from '@touchstone/common';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findStory } from '../testing/story-requests.ts';
import { getStateAt, buildTimeline } from './timeline.ts';

const EPOCH = Date.parse('2026-01-01T00:00:00Z');

function buildStoryTimeline(story: string) {
  return buildTimeline(findStory(story), EPOCH);
}

function getStateOnDay(story: string, day: number) {
  return getStateAt(buildStoryTimeline(story), EPOCH + day * DAY_MS);
}

test('a phase starts with its first millisecond and changes only the properties it names', () => {
  const before = getStateOnDay('price-spike', 13 - 1 / DAY_MS);
  const after = getStateOnDay('price-spike', 13);
  expect(before.priceUsd).toBe('0.02');
  expect(after).toEqual({ ...before, from: EPOCH + 13 * DAY_MS, priceUsd: '0.4' });
});

test('each phase is applied to the previous state', () => {
  expect([0, 4, 9, 12].map((day) => getStateOnDay('price-steps', day).priceUsd)).toEqual([
    '0.01',
    '0.012',
    '0.015',
    '0.0125',
  ]);
  expect([4, 6, 8].map((day) => getStateOnDay('relisted', day).listed)).toEqual([true, false, true]);
});

test('the first state applies before the epoch, the last one without end', () => {
  const timeline = buildStoryTimeline('delisted');
  expect(getStateAt(timeline, 0)).toBe(timeline[0]);
  expect(getStateAt(timeline, EPOCH + 9_999 * DAY_MS)).toBe(timeline.at(-1));
});

test('the latest phase that has started applies', () => {
  const timeline = buildStoryTimeline('price-steps');
  fc.assert(
    fc.property(fc.integer({ min: EPOCH, max: EPOCH + 30 * DAY_MS }), (at) => {
      const state = getStateAt(timeline, at);
      expect(state.from).toBeLessThanOrEqual(at);
      expect(timeline.filter(({ from }) => from > state.from && from <= at)).toEqual([]);
    }),
  );
});
