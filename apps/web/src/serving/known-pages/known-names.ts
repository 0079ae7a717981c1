import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '@touchstone/common';

/** Reads at most `limit` names that follow the name `after`, in sort order. */
export type ReadNames = (after: string, limit: number) => Promise<readonly string[]>;

export interface KnownNames {
  /**
   * Returns true for a name in memory. For any other name, returns null before the names are loaded, and false
   * afterwards.
   */
  readonly has: (name: string) => boolean | null;
  /** Reads the names if they were never loaded. The promise resolves when the current read has ended. */
  readonly load: () => Promise<void>;
  /** Adds a name that exists in the database, or that may be new. */
  readonly add: (name: string) => void;
  /** Removes a name that does not exist in the database. */
  readonly remove: (name: string) => void;
}

export interface KnownNamesOptions {
  readonly read: ReadNames;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Maximum number of names in memory; default 300,000. If the database has more names, none of them is stored. */
  readonly maxNames?: number;
}

/** Age at which the names are read again, in milliseconds. Until then, removed names stay in memory. */
const MAX_AGE_MS = 10 * MINUTE_MS;
/** Pause after a failed read, in milliseconds. */
const RETRY_MS = 10_000;
/** Number of names per read. */
const RANGE = 5_000;
const MAX_NAMES = 300_000;

/** Maximum number of added names in memory. */
const MAX_ADDED = 50_000;

/**
 * Keeps all names of one kind of page in memory. The names are read in the background: at the first call, and again
 * when they are ten minutes old. Added names are kept for twenty minutes, which is longer than the time between two
 * successful reads.
 */
export function createKnownNames({ read, now, maxNames = MAX_NAMES }: KnownNamesOptions): KnownNames {
  let names: Set<string> | null = null;
  const added = new LRUCache<string, true>({ max: MAX_ADDED, ttl: 2 * MAX_AGE_MS });
  let nextReadAt = -Infinity;
  /** Read of the names that is in progress; otherwise null. */
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
    try {
      names = await readAll();
      nextReadAt = now() + MAX_AGE_MS;
    } catch {
      nextReadAt = now() + RETRY_MS;
    } finally {
      reading = null;
    }
  };
  const refreshIfDue = (): void => {
    if (reading === null && now() >= nextReadAt) reading = refresh();
  };
  return {
    has: (name) => {
      refreshIfDue();
      return added.has(name) || (names?.has(name) ?? null);
    },
    load: async () => {
      refreshIfDue();
      await reading;
    },
    add: (name) => {
      added.set(name, true);
    },
    remove: (name) => {
      added.delete(name);
      names?.delete(name);
    },
  };
}
