import { LRUCache } from 'lru-cache';

/** Maximum size of the renders in the log, and of the expired tags, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** Size of a record without its name, in bytes. */
const RECORD_BYTES = 100;

const LIMITS = {
  maxSize: MAX_BYTES,
  sizeCalculation: (_position: number, name: string) => RECORD_BYTES + name.length,
};

/**
 * Log of the order of renders and expirations. It detects a cache entry with a tag that expired while the entry was
 * rendered.
 */
export interface ExpirationLog {
  /** Records the start of a render, after a request found no entry. */
  recordMiss(key: string): void;
  /** Records the expiration of tags; null means all tags. */
  recordExpiration(tags: readonly string[] | null): void;
  /**
   * Returns true if one of the tags may have expired since the render of the entry started. Each render of an entry is
   * checked once. A second render of the same entry without a recorded start counts as started before all expirations.
   */
  endRender(key: string, tags: readonly string[]): boolean;
}

/** Creates an empty log. Its size is bounded. When the log drops an expiration, this expiration counts for all tags. */
export function createExpirationLog(): ExpirationLog {
  let position = 0;
  /** Position of the latest expiration that counts for all tags. */
  let allTagsPosition = 0;
  const starts = new LRUCache<string, number>(LIMITS);
  const expirations = new LRUCache<string, number>({
    ...LIMITS,
    dispose: (forgotten, _tag, reason) => {
      if (reason === 'evict') allTagsPosition = Math.max(allTagsPosition, forgotten);
    },
  });
  return {
    recordMiss: (key) => {
      // Several requests can render the same entry. The earliest start counts for all these requests.
      if (!starts.has(key)) starts.set(key, position);
    },
    recordExpiration: (tags) => {
      position += 1;
      if (tags === null) allTagsPosition = position;
      for (const tag of tags ?? []) expirations.set(tag, position);
    },
    endRender: (key, tags) => {
      const start = starts.get(key) ?? 0;
      starts.delete(key);
      return allTagsPosition > start || tags.some((tag) => (expirations.get(tag) ?? 0) > start);
    },
  };
}
