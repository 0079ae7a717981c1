/** The world's time, in milliseconds since 1970. */
export interface Clock {
  readonly now: () => number;
  /** The moment time stands still at, or null while it follows real time. */
  readonly frozenAt: () => number | null;
  /** Stops time at a moment, or with null lets it follow real time again. */
  readonly set: (at: number | null) => void;
}

/** A clock that follows `realNow` until it is set. */
export const createClock = (realNow: () => number = Date.now): Clock => {
  let frozen: number | null = null;
  return {
    now: () => frozen ?? realNow(),
    frozenAt: () => frozen,
    set: (at) => {
      frozen = at;
    },
  };
};
