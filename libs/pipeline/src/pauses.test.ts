import { describe, expect, it } from 'vitest';
import { createPauses } from './pauses.ts';

/** Records three events of a key at the given times, and returns the seconds of its pause at the time `now`. */
function getSeconds(times: readonly number[], now: number): number | null {
  const clock = { now: 0 };
  const pauses = createPauses({ maxEvents: 3, durationMs: 10_000, now: () => clock.now });
  for (const time of times) {
    clock.now = time;
    pauses.record('key');
  }
  clock.now = now;
  expect(pauses.getSeconds('other key')).toBeNull();
  return pauses.getSeconds('key');
}

describe('a pause', () => {
  it.each([
    ['starts with the third event', [0, 5_000, 9_999], 9_999, 10],
    ['lasts for its duration after the third event', [0, 5_000, 9_999], 19_998, 1],
    ['ends after its duration', [0, 5_000, 9_999], 19_999, null],
    ['does not start with two events', [0, 5_000], 5_000, null],
    ['does not count older events', [0, 5_000, 10_000], 10_000, null],
    ['becomes longer with a later event', [0, 1_000, 2_000, 8_000], 8_000, 10],
    ['ends if the clock is set back', [30_000, 30_000, 30_000], 1_000, null],
  ])('%s', (...row) => {
    const [, times, now, seconds] = row;
    expect(getSeconds(times, now)).toBe(seconds);
  });
});
