/** Random number generator with reproducible results: the same seed gives the same numbers. */
export interface SeededRandom {
  /** Returns a number that is at least 0 and less than 1. */
  next(): number;
  /** Returns a whole number that is at least 0 and less than `count`. */
  below(count: number): number;
  pick<T>(items: readonly T[]): T;
  /** Returns true with a probability of 1 in `times`. */
  oneIn(times: number): boolean;
}

/**
 * Creates a Mulberry32 generator, which has 32 bits of state.
 *
 * @param seed any whole number
 */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    pick<T>(items: readonly T[]): T {
      const item = items[below(items.length)];
      if (item === undefined && !items.includes(item as T))
        throw new RangeError('Cannot pick from an empty list');
      return item as T;
    },
    oneIn: (times) => below(times) === 0,
  };
}
