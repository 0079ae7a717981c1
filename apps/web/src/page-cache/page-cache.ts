import type { CacheHandler, CacheHandlerValue } from 'next/dist/server/lib/incremental-cache/index.js';
import { LRUCache } from 'lru-cache';
import { readSiteInstances } from '../config/config.ts';
import { removeFrameworkScripts } from './document-html.ts';
import type { SharedExpirations } from './shared-expirations.ts';
import { UNSTORED_TAG } from './unstored-tag.ts';

/** Default maximum size of the cache, in bytes. */
const DEFAULT_MAX_BYTES = 50 * 1024 * 1024;

type Value = CacheHandlerValue['value'];
type SetContext = Parameters<CacheHandler['set']>[2];

interface Entry extends CacheHandlerValue {
  readonly tags: readonly string[];
  readonly bytes: number;
}

/**
 * Pattern of the cache keys of pages whose URL also serves JSON or MCP (see proxy.ts). A cache key ends with the path of
 * its page. These pages are stored with a `Vary` header, because Next keeps a stored `Vary` header but replaces one that
 * the proxy sets.
 */
const PAGE_WITH_OTHER_FORMAT = /\/on-demand\/page\/(?:leaderboard|stats|mcp)$/;

/** Cache entries of this process. Next creates a handler for every request, and all handlers share the entries. */
let entries: LRUCache<string, Entry> | undefined;

/** Expirations that this process exchanges with the other instances of the site; null for a site of one instance. */
let expirations: Promise<SharedExpirations | null> | undefined;

/**
 * Cache of rendered pages and their data. The cache is only in the memory of this process, so services with different
 * databases can run from one build. The scripts of Next are removed from every page, also from the first response.
 *
 * The instances of one site share no pages. They tell each other which pages changed (see docs/decisions/0047).
 *
 * The class implements Next's `cacheHandler`; see "Custom Next.js Cache Handler" in the documentation of Next.
 */
export default class PageCache implements CacheHandler {
  readonly #entries: LRUCache<string, Entry>;

  /** @param context `maxMemoryCacheSize` is the maximum size of the cache, in bytes. */
  constructor(context: { readonly maxMemoryCacheSize?: number }) {
    entries ??= new LRUCache({
      maxSize: context.maxMemoryCacheSize ?? DEFAULT_MAX_BYTES,
      sizeCalculation: ({ bytes }) => bytes,
    });
    this.#entries = entries;
  }

  async get(key: string): Promise<CacheHandlerValue | null> {
    const shared = await this.#openExpirations();
    await shared?.receive();
    return this.#entries.get(key) ?? null;
  }

  /**
   * Stores an entry. Next sends the same object as the first response, so a change of the object also changes that
   * response.
   */
  set(key: string, value: Value, context: SetContext): Promise<void> {
    if (value && 'html' in value) value.html = removeFrameworkScripts(value.html);
    if (value && 'html' in value && PAGE_WITH_OTHER_FORMAT.test(key))
      value.headers = { ...value.headers, vary: 'Accept' };
    const tags = collectTags(value, context);
    if (isUncachedNotFound(key, value) || tags.includes(UNSTORED_TAG)) return Promise.resolve();
    const cacheControl = 'cacheControl' in context ? context.cacheControl : undefined;
    this.#entries.set(key, {
      value,
      lastModified: Date.now(),
      ...(cacheControl ? { cacheControl } : {}),
      tags,
      bytes: key.length + estimateBytes(value),
    });
    return Promise.resolve();
  }

  /**
   * Deletes every entry with one of the given tags, here and in the other instances, so that the next request renders the
   * page again.
   */
  async revalidateTag(tags: string | readonly string[]): Promise<void> {
    const changed = typeof tags === 'string' ? [tags] : tags;
    this.#delete(changed);
    const shared = await this.#openExpirations();
    await shared?.send(changed);
  }

  /** Deletes every entry with one of the given tags; all entries if the tags are null. */
  #delete(tags: readonly string[] | null): void {
    if (tags === null) {
      this.#entries.clear();
      return;
    }
    if (tags.length === 0) return;
    const changed = new Set(tags);
    for (const [key, entry] of [...this.#entries.entries()]) {
      if (entry.tags.some((tag) => changed.has(tag))) this.#entries.delete(key);
    }
  }

  #openExpirations(): Promise<SharedExpirations | null> {
    return (expirations ??= openExpirations((tags) => {
      this.#delete(tags);
    }));
  }

  resetRequestCache(): void {
    // The cache has no data per request, so there is nothing to reset.
  }
}

/** Creates the exchange with the other instances through the database; null for a site of one instance. */
async function openExpirations(
  expire: (tags: readonly string[] | null) => void,
): Promise<SharedExpirations | null> {
  if (readSiteInstances(process.env) === 1) return null;
  // The modules of the database are loaded only where they are needed.
  const { openSharedExpirations } = await import('./open-shared-expirations.ts');
  return openSharedExpirations(expire);
}

/**
 * Returns true for a 404 page that has its own URL. Such a page is not cached, because clients can request any number
 * of unknown URLs. Only the shared not-found page is cached.
 */
function isUncachedNotFound(key: string, value: Value): boolean {
  return value !== null && 'status' in value && value.status === 404 && !key.endsWith('/_not-found');
}

function collectTags(value: Value, context: SetContext): readonly string[] {
  const dataTags = 'tags' in context ? (context.tags ?? []) : [];
  const header = value && 'headers' in value ? value.headers?.['x-next-cache-tags'] : undefined;
  return typeof header === 'string' ? [...dataTags, ...header.split(',')] : dataTags;
}

/** Estimates the size of a cached value in memory, in bytes. Most of the size is the text of pages. */
function estimateBytes(value: Value): number {
  if (!value) return 64;
  if ('body' in value) return value.body.length;
  if ('data' in value) return value.data.body.length;
  if ('segmentData' in value) {
    const segments = [...(value.segmentData?.values() ?? [])].reduce(
      (sum, segment) => sum + segment.length,
      0,
    );
    return value.html.length + (value.rscData?.length ?? 0) + segments;
  }
  return JSON.stringify(value).length;
}
