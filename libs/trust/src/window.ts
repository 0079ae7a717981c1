export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** Days that probes, challenges and changes are counted over, and over which a change fades. */
export const WINDOW_DAYS = 30;

/** How long ago something was, in milliseconds; something of the future, by a clock gone wrong, was just now. */
export function ageMs(now: number, at: number): number {
  return Math.max(0, now - at);
}
