import { setTimeout as sleep } from 'node:timers/promises';
import { type PageExpirations, readPageExpirations, recordPageExpirations } from '@touchstone/store';
import { getSecretDatabase } from '../../platform/database/databases.ts';

/** Minimum time between two reads of the expirations of other instances, in milliseconds. */
const READ_INTERVAL_MS = 1_000;
/**
 * Maximum time for which a page waits for a read of expirations, in milliseconds. After this time, the cached page is
 * served.
 */
const MAX_WAIT_MS = 500;

interface SharedExpirationsOptions {
  readonly record: (tags: readonly string[]) => Promise<void>;
  /** Returns the latest position, and the tags after the position `after`. In the first call, `after` is null. */
  readonly read: (after: number | null) => Promise<PageExpirations>;
  /** Deletes the pages with these tags. Null means that the tags are not known, so all pages are deleted. */
  readonly expire: (tags: readonly string[] | null) => void;
}

/** Exchange of expired page tags between the instances of one site, through their database. */
export interface SharedExpirations {
  /**
   * Sends tags to the other instances. Tags that could not be sent are sent again with the next call or read.
   */
  send(tags: readonly string[]): Promise<void>;
  /** Deletes the pages that other instances have expired. Reads at most once per second. */
  receive(): Promise<void>;
}

/** Creates the exchange of expirations. Its functions do not reject when the database is unavailable. */
function createSharedExpirations(options: SharedExpirationsOptions): SharedExpirations {
  const { record, read, expire } = options;
  const unsent = new Set<string>();
  let position: number | null = null;
  let startedAt = -Infinity;
  let isReading = false;
  let receiving: Promise<unknown> = Promise.resolve();

  const flush = async (): Promise<void> => {
    const tags = [...unsent];
    if (tags.length === 0) return;
    // The set is cleared before the tags are sent. A tag that is added during the sending is therefore sent later.
    unsent.clear();
    try {
      await record(tags);
    } catch {
      for (const tag of tags) unsent.add(tag);
    }
  };
  const exchange = async (): Promise<void> => {
    isReading = true;
    try {
      await flush();
      const { latest, tags } = await read(position);
      position = latest;
      expire(tags);
    } catch {
      // After a failed read, the next read continues at the same position. Until then, cached pages are served.
    } finally {
      isReading = false;
    }
  };
  return {
    send: async (tags) => {
      for (const tag of tags) unsent.add(tag);
      await flush();
    },
    receive: async () => {
      if (!isReading && Date.now() - startedAt >= READ_INTERVAL_MS) {
        startedAt = Date.now();
        receiving = Promise.race([exchange(), sleep(MAX_WAIT_MS, undefined, { ref: false })]);
      }
      await receiving;
    },
  };
}

/**
 * Creates the exchange of expirations through the database of the site. The database is opened at its first use, because
 * the build has no database.
 */
export function openSharedExpirations(expire: (tags: readonly string[] | null) => void): SharedExpirations {
  return createSharedExpirations({
    record: async (tags) => recordPageExpirations(getSecretDatabase(), tags),
    read: async (after) => readPageExpirations(getSecretDatabase(), after),
    expire,
  });
}
