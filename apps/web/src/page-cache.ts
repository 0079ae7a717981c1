import type { CacheHandler, CacheHandlerValue } from 'next/dist/server/lib/incremental-cache/index.js';
import { documentHtml } from './document-html.ts';
import { createLru, type Lru } from './lru.ts';

type Value = CacheHandlerValue['value'];
type SetContext = Parameters<CacheHandler['set']>[2];

interface Entry extends CacheHandlerValue {
  readonly tags: readonly string[];
  readonly bytes: number;
}

/**
 * Pages whose address answers programs with data (see proxy.ts). Next writes its own `Vary` over whatever was set for
 * a request, and adds to it what was kept with the page. A key ends with the path of its page.
 */
const ALSO_DATA = /\/on-demand\/page\/(?:leaderboard|stats)$/;

/** Next makes a handler for every request; what they keep is the process's. */
let entries: Lru<Entry> | undefined;

/**
 * Keeps rendered pages and the data they were made from, in this process's memory only: two services with different
 * databases started from one build never show each other's pages. Pages are kept, and answered the first time too,
 * as documents without the framework's scripts.
 *
 * It is Next's `cacheHandler`; see "Custom Next.js Cache Handler" in its documentation.
 */
export default class PageCache implements CacheHandler {
  readonly #entries: Lru<Entry>;

  /** @param context `maxMemoryCacheSize` is in bytes. */
  constructor(context: { readonly maxMemoryCacheSize?: number }) {
    entries ??= createLru(context.maxMemoryCacheSize ?? 50 * 1024 * 1024, ({ bytes }) => bytes);
    this.#entries = entries;
  }

  get(key: string): Promise<CacheHandlerValue | null> {
    return Promise.resolve(this.#entries.get(key) ?? null);
  }

  /** Next answers with the very value it hands over here, so what is changed in it reaches the first visitor too. */
  set(key: string, value: Value, context: SetContext): Promise<void> {
    if (value && 'html' in value) value.html = documentHtml(value.html);
    if (value && 'html' in value && ALSO_DATA.test(key)) value.headers = { ...value.headers, vary: 'Accept' };
    if (isUnkeptNotFound(key, value)) return Promise.resolve();
    const cacheControl = 'cacheControl' in context ? context.cacheControl : undefined;
    this.#entries.set(key, {
      value,
      lastModified: Date.now(),
      ...(cacheControl ? { cacheControl } : {}),
      tags: tagsOf(value, context),
      bytes: key.length + bytesOf(value),
    });
    return Promise.resolve();
  }

  /** Forgets everything made from data with one of these tags, so that the next visitor gets it made anew. */
  revalidateTag(tags: string | readonly string[]): Promise<void> {
    const changed = new Set(typeof tags === 'string' ? [tags] : tags);
    for (const [key, entry] of [...this.#entries.entries()]) {
      if (entry.tags.some((tag) => changed.has(tag))) this.#entries.delete(key);
    }
    return Promise.resolve();
  }

  resetRequestCache(): void {
    // Nothing is kept per request.
  }
}

/**
 * A page that is not there is not kept under its own address, as strangers can make up any number of them; the one
 * not-found page, which stands in for all, is.
 */
function isUnkeptNotFound(key: string, value: Value): boolean {
  return value !== null && 'status' in value && value.status === 404 && !key.endsWith('/_not-found');
}

function tagsOf(value: Value, context: SetContext): readonly string[] {
  const ofData = 'tags' in context ? (context.tags ?? []) : [];
  const header = value && 'headers' in value ? value.headers?.['x-next-cache-tags'] : undefined;
  return typeof header === 'string' ? [...ofData, ...header.split(',')] : ofData;
}

/** Rough size in memory. Pages dominate, and of a page its texts. */
function bytesOf(value: Value): number {
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
