/** Clock of the simulated time, in milliseconds since 1970. */
export interface Clock {
  readonly now: () => number;
  /** Returns the time at which the clock is stopped, or null while the clock follows real time. */
  readonly frozenAt: () => number | null;
  /** Stops the clock at the given time. With null, the clock follows real time again. */
  readonly set: (at: number | null) => void;
}

/** Creates a clock that returns the time of `realNow` until `set` stops the clock. */
export function createClock(realNow: () => number = Date.now): Clock {
  let frozen: number | null = null;
  return {
    now: () => frozen ?? realNow(),
    frozenAt: () => frozen,
    set: (at) => {
      frozen = at;
    },
  };
}
