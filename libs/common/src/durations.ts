/** One minute, in milliseconds. */
export const MINUTE_MS = 60_000;
/** One hour, in milliseconds. */
export const HOUR_MS = 3_600_000;
/** One day of 24 hours, in milliseconds. */
export const DAY_MS = 86_400_000;
