/** A map bounded by the total size of its values; the value that was longest unused goes first. */
export interface Lru<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  entries(): Iterable<readonly [key: string, value: Value]>;
  /** Sum of the sizes of all values kept. */
  readonly size: number;
}

/**
 * @param limit Most size to keep. A value larger than all of it is not kept.
 * @param sizeOf Size of one value, in the unit of `limit`. It must not change while the value is kept.
 */
export function createLru<Value>(limit: number, sizeOf: (value: Value) => number): Lru<Value> {
  const values = new Map<string, Value>();
  let size = 0;

  const remove = (key: string) => {
    const value = values.get(key);
    if (value !== undefined && values.delete(key)) size -= sizeOf(value);
  };

  return {
    get(key) {
      const value = values.get(key);
      if (value === undefined) return undefined;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set(key, value) {
      remove(key);
      if (sizeOf(value) > limit) return;
      values.set(key, value);
      size += sizeOf(value);
      for (const oldest of values.keys()) {
        if (size <= limit) break;
        remove(oldest);
      }
    },
    delete: remove,
    entries: () => values.entries(),
    get size() {
      return size;
    },
  };
}
