/** A source of chance that repeats itself: the same seed, the same numbers. */
export interface SeededRandom {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from 0 to below `count`. */
  below(count: number): number;
  pick<T>(items: readonly T[]): T;
  /** True one time in `times`. */
  oneIn(times: number): boolean;
}

/** Mulberry32, a generator of 32 bits of state. @param seed any whole number */
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
        throw new RangeError('There is nothing to pick from');
      return item as T;
    },
    oneIn: (times) => below(times) === 0,
  };
}
