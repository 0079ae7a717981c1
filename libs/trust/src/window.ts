/** Days over which probes, challenges and changes are counted, and over which the cost of a change falls to zero. */
export const WINDOW_DAYS = 30;

/** Returns the age of an event in milliseconds; 0 for an event after `now`, as a wrong clock may report it. */
export function computeAgeMs(now: number, at: number): number {
  return Math.max(0, now - at);
}
