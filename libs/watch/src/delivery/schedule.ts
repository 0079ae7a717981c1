import { HOUR_MS, MINUTE_MS } from '@touchstone/common';

/** Delays after each failed attempt, in milliseconds. The first attempt is made immediately. */
const DELAYS_MS: readonly number[] = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Width of the jitter as a share of the delay: from 10 % shorter to 10 % longer. */
const JITTER_SHARE = 0.2;

/** Number of attempts to deliver one entry. */
export const MAX_ATTEMPTS = DELAYS_MS.length + 1;

/** Delay after a failure that this machine caused, in milliseconds. Such a failure does not count as an attempt. */
export const SELF_FAILURE_DELAY_MS = 30_000;

/** Bounds of a pause that a receiver requests, in milliseconds. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = HOUR_MS;

/**
 * Returns the delay after a failed attempt. The delay has jitter, so that entries that failed at the same time are
 * retried at different times.
 *
 * @param attempt number of the failed attempt, from 1
 * @param random returns a number from 0 up to, but not including, 1
 * @returns whole milliseconds; null when no further attempt follows
 */
export function computeNextDelayMs(attempt: number, random: () => number): number | null {
  const delayMs = DELAYS_MS[attempt - 1];
  return delayMs === undefined ? null : Math.round(delayMs * (1 + JITTER_SHARE * (random() - 0.5)));
}

/** Limits a requested pause to the range from 1 second to 1 hour. */
export function limitPauseMs(pauseMs: number): number {
  return Math.min(Math.max(pauseMs, MIN_PAUSE_MS), MAX_PAUSE_MS);
}
