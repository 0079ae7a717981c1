/**
 * Length of the scoring window in days. Probes, challenges and changes in this window count. The cost of a change falls
 * to zero over the same period.
 */
export const WINDOW_DAYS = 30;

/** Returns the age of an event in milliseconds. Returns 0 for an event after `now`, which a wrong clock can cause. */
export function computeAgeMs(now: number, at: number): number {
  return Math.max(0, now - at);
}
