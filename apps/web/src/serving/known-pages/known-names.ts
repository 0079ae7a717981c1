import { MINUTE_MS } from '@touchstone/common';

/** Reads at most `limit` names after a name, in their order. */
export type ReadNames = (after: string, limit: number) => Promise<readonly string[]>;

export interface KnownNames {
  /**
   * Returns true for a name in memory. For any other name, returns false, or null while the names are not loaded.
   */
  readonly has: (name: string) => boolean | null;
  /** Reads the names if they were never loaded. The promise resolves when the current read has ended. */
  readonly load: () => Promise<void>;
  /** Adds a name that the database knows, or that may be new. */
  readonly add: (name: string) => void;
  /** Removes a name that the database does not know. */
  readonly remove: (name: string) => void;
}

export interface KnownNamesOptions {
  readonly read: ReadNames;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Maximum number of names in memory; default 300,000. With more names in the database, none is kept. */
  readonly maxNames?: number;
}

/** Age at which the names are read again, in milliseconds. Until then, removed names stay in memory. */
const MAX_AGE_MS = 10 * MINUTE_MS;
/** Pause after a failed read, in milliseconds. */
const RETRY_MS = 10_000;
/** Number of names per read. */
const RANGE = 5_000;
const MAX_NAMES = 300_000;

/**
 * Keeps all names of one kind of page in memory. The names are read in the background: at the first call, and again when
 * they are ten minutes old. Names that are added during a read are kept. While the names are not loaded, only the added
 * names are in memory.
 */
export function createKnownNames({ read, now, maxNames = MAX_NAMES }: KnownNamesOptions): KnownNames {
  let names: Set<string> | null = null;
  /** Names that were added since the names were last loaded, the oldest first. Only used while none are loaded. */
  let added = new Set<string>();
  /** Names that were added since the start of the latest read. */
  let addedInRead = new Set<string>();
  let nextReadAt = -Infinity;
  /** Current read; null if there is none. */
  let reading: Promise<void> | null = null;

  const readAll = async (): Promise<Set<string> | null> => {
    const all = new Set<string>();
    for (let after = ''; ;) {
      const range = await read(after, RANGE);
      for (const name of range) all.add(name);
      const last = range.at(-1);
      if (all.size > maxNames) return null;
      if (last === undefined || range.length < RANGE) return all;
      after = last;
    }
  };
  const refresh = async (): Promise<void> => {
    addedInRead = new Set();
    try {
      const all = await readAll();
      names = all === null ? null : new Set([...all, ...addedInRead]);
      if (names !== null) added = new Set();
      nextReadAt = now() + MAX_AGE_MS;
    } catch {
      nextReadAt = now() + RETRY_MS;
    } finally {
      reading = null;
    }
  };
  const refreshIfDue = (): void => {
    if (reading !== null) return;
    if (Math.abs(nextReadAt - now()) > MAX_AGE_MS) nextReadAt = -Infinity;
    if (now() >= nextReadAt) reading = refresh();
  };

  return {
    has: (name) => {
      refreshIfDue();
      if (names === null) return added.has(name) ? true : null;
      return names.has(name);
    },
    load: async () => {
      refreshIfDue();
      await reading;
    },
    add: (name) => {
      if (reading !== null && addedInRead.size < maxNames) addedInRead.add(name);
      if (names === null) addBounded(added, name, maxNames);
      else if (names.size < 2 * maxNames) names.add(name);
    },
    remove: (name) => {
      added.delete(name);
      addedInRead.delete(name);
      names?.delete(name);
    },
  };
}

/** Adds a name to a set, and deletes the oldest one if the set has more than `maxNames`. */
function addBounded(names: Set<string>, name: string, maxNames: number): void {
  names.add(name);
  const [oldest] = names;
  if (names.size > maxNames && oldest !== undefined) names.delete(oldest);
}
