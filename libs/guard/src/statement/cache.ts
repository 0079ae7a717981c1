/** Value with the time until which it may be reused, in milliseconds since 1970. */
export interface Expiring<T> {
  readonly value: T;
  readonly expiresAt: number;
}

interface Entry<T> {
  readonly promise: Promise<T>;
  readonly startedAt: number;
  /** Infinity while the value is loading: concurrent callers then share it. */
  expiresAt: number;
}

/** Cache of loaded values with a maximum number of entries. Needs no timer. */
export class Cache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #maxEntries: number;
  readonly #now: () => number;

  /** @param now returns the current time in milliseconds since 1970 */
  constructor(maxEntries: number, now: () => number) {
    this.#maxEntries = maxEntries;
    this.#now = now;
  }

  /** Returns the value of a key. Loads it unless it is cached or already loading. A rejected value is not cached. */
  get(key: string, load: () => Promise<Expiring<T>>): Promise<T> {
    const now = this.#now();
    const cached = this.#entries.get(key);
    // A clock that was set back makes the age of an entry unknown.
    if (cached !== undefined && cached.expiresAt > now && cached.startedAt <= now) return cached.promise;
    return this.#load(key, now, load);
  }

  #load(key: string, startedAt: number, load: () => Promise<Expiring<T>>): Promise<T> {
    const loading = load();
    const entry: Entry<T> = { promise: loading.then(({ value }) => value), startedAt, expiresAt: Infinity };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#removeOldest();
    loading.then(
      ({ expiresAt }) => (entry.expiresAt = expiresAt),
      () => (entry.expiresAt = 0),
    );
    return entry.promise;
  }

  #removeOldest(): void {
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries) return;
      this.#entries.delete(key);
    }
  }
}
