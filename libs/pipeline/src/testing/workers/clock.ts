/** Clock that several processes share. It begins at a time and is faster than the real clock. */
export interface ClockSettings {
  /** First time of the clock, in milliseconds since the epoch. A multiple of 8. */
  readonly start: number;
  /** Real time at which the clock began, in milliseconds since the epoch. */
  readonly realStart: number;
  /** Number of seconds of the clock in one real second. */
  readonly speed: number;
}

/** Number of different workers whose times can be told apart. */
const WORKERS = 8;

/**
 * Returns the time of the clock for a worker, in milliseconds since the epoch. The remainder of the division by 8 is the
 * number of the worker, so a stored time shows which worker read it. Times of different workers differ by less than 8 ms.
 */
export function readClock({ start, realStart, speed }: ClockSettings, worker: number): number {
  const passed = (Date.now() - realStart) * speed;
  return start + Math.floor(passed / WORKERS) * WORKERS + worker;
}
