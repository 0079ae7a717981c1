import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitPauseMs, MAX_ATTEMPTS, computeNextDelayMs } from './schedule.ts';

/** Published delays in seconds: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
const SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('computeNextDelayMs', () => {
  it('follows the published schedule without jitter', () => {
    const delays = SECONDS.map((_, index) => computeNextDelayMs(index + 1, () => 0.5));
    expect(delays).toEqual(SECONDS.map((seconds) => seconds * 1_000));
  });

  it('adds a jitter of at most 10 % in either direction, and uses the whole width', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: SECONDS.length }), random, (attempt, value) => {
        const baseMs = (SECONDS[attempt - 1] ?? 0) * 1_000;
        const delayMs = computeNextDelayMs(attempt, () => value) ?? 0;
        expect(Number.isInteger(delayMs)).toBe(true);
        expect(Math.abs(delayMs - baseMs)).toBeLessThanOrEqual(baseMs / 10);
      }),
    );
    expect(computeNextDelayMs(1, () => 0)).toBe(4_500);
    expect(computeNextDelayMs(1, () => 0.999_999)).toBe(5_500);
  });

  it('is null from the last attempt on', () => {
    expect(MAX_ATTEMPTS).toBe(10);
    for (const attempt of [10, 11, 1_000]) expect(computeNextDelayMs(attempt, () => 0.5)).toBeNull();
  });
});

describe('limitPauseMs', () => {
  it('limits any pause to one second to one hour', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true }), (pauseMs) => {
        const limited = limitPauseMs(pauseMs);
        expect(limited).toBe(Math.min(3_600_000, Math.max(1_000, pauseMs)));
      }),
    );
  });
});
