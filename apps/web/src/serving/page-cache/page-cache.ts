import type { CacheHandler, CacheHandlerValue } from 'next/dist/server/lib/incremental-cache/index.js';
import { SharedCacheControls } from 'next/dist/server/lib/incremental-cache/shared-cache-controls.external.js';
import { LRUCache } from 'lru-cache';
import { FORMAT_VARY } from '../../api/choose-format.ts';
import { readSiteInstances } from '../../platform/config/config.ts';
import { compress, decompress } from '../compress.ts';
import { createExpirationLog } from './expiration-log.ts';
import type { SharedExpirations } from './shared-expirations.ts';
import { PAGE_LIFETIME_S, UNSTORED_TAG } from './page-lifetime.ts';
import { AsyncLocalStorage } from 'node:async_hooks';

/** Maximum size of the cache, in bytes. */
const MAX_BYTES = 128 * 1024 * 1024;

/** Size of an entry without its text and its buffers, in bytes: key, headers, tags and objects in the heap. */
const ENTRY_BYTES = 2 * 1024;

type Value = CacheHandlerValue['value'];
type SetContext = Parameters<CacheHandler['set']>[2];

/** Cached page, or cached data of pages. */
interface PageEntry {
  /** Value with empty text. */
  readonly value: Value;
  /**
   * Text of the value, compressed with gzip: the document of a page, or the body of data. Buffers are outside the
   * JavaScript heap, so a full cache leaves the heap to requests.
   */
  readonly text: Buffer;
  readonly lastModified: number;
  readonly cacheControl?: NonNullable<CacheHandlerValue['cacheControl']>;
  readonly tags: readonly string[];
  readonly bytes: number;
  /** Time after which the entry must not be used, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Pattern of the cache keys of pages whose URL also serves JSON or MCP (see proxy.ts). A cache key ends with the path
 * of its page. These pages are stored with a `Vary` header, because Next keeps a stored `Vary` header but replaces a
 * `Vary` header that the proxy sets.
 */
const PAGE_WITH_OTHER_FORMAT = /\/on-demand\/page\/(?:leaderboard|stats|mcp)$/;

/** Pattern of the cache keys of the shared error pages. For these pages, Next or the proxy sets `Cache-Control`. */
const ERROR_PAGE = /\/on-demand\/page\/(?:gone|busy)$|\/_not-found$/;

/**
 * `Cache-Control` of stored pages. A shared cache must ask the site before each use, because the site cannot expire the
 * pages of shared caches (see docs/decisions/0007).
 */
const PAGE_CACHE_CONTROL = 'public, max-age=0, must-revalidate';

/** Cache entries of this process. Next creates a handler for every request, and all handlers share the entries. */
let entries: LRUCache<string, PageEntry> | undefined;

/** Expirations that this process exchanges with the other instances of the site; null for a site of one instance. */
let expirations: Promise<SharedExpirations | null> | undefined;

const log = createExpirationLog();

/** True if this process can receive requests for the data that the scripts of Next load (RSC). */
let isScriptDataStored = true;

/**
 * Makes the cache store pages without their data for the scripts of Next, so the cache holds more pages. Next then
 * responds to a request for this data with status 500, so the caller must keep such requests from Next.
 */
export function omitScriptData(): void {
  isScriptDataStored = false;
}

/** Returns true if an entry is still the current entry of its key and its lifetime has not ended. */
export function isCurrentEntry({ key, entry }: EntryUse): boolean {
  return entries?.get(key) === entry && Date.now() < entry.expiresAt;
}

/** Deletes the pages that other instances of the site have expired. The expirations are read at most once per second. */
export async function receiveExpirations(): Promise<void> {
  const shared = await shareExpirations();
  await shared?.receive();
}

/**
 * Cache of rendered pages and their data. The cache is only in the memory of this process, so services with different
 * databases can run from one build. The scripts of Next are removed from every page, also from the first response.
 *
 * The instances of one site share no pages. The instances exchange the tags of changed pages (see docs/decisions/0047).
 *
 * The class implements Next's `cacheHandler`; see "Custom Next.js Cache Handler" in the documentation of Next.
 */
export default class PageCache implements CacheHandler {
  readonly #entries: LRUCache<string, PageEntry>;

  /** @param options Next passes its own options, without `maxBytes`. */
  constructor({ maxBytes = MAX_BYTES }: { readonly maxBytes?: number }) {
    entries ??= new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ bytes }) => bytes,
    });
    this.#entries = entries;
  }

  async get(key: string): Promise<CacheHandlerValue | null> {
    await receiveExpirations();
    const entry = this.#entries.get(key);
    if (entry === undefined || Date.now() >= entry.expiresAt) {
      log.recordMiss(key);
      return null;
    }
    addEntryUse({ key, entry });
    const text = await decompress(entry.text);
    return { ...entry, value: replaceText(entry.value, text.toString()) };
  }

  /**
   * Stores an entry, unless one of its tags expired while the entry was rendered. Next sends the same object as the
   * first response, so a change of the object also changes that response.
   */
  async set(key: string, value: Value, context: SetContext): Promise<void> {
    // Next keeps the lifetimes of all paths that it ever rendered, also of pages with parameters. Entries have their own
    // lifetimes, which Next prefers.
    SharedCacheControls.prototype.clear();
    const tags = collectTags(value, context);
    const isStored = !isUncachedNotFound(key, value) && !tags.includes(UNSTORED_TAG);
    if (value && 'html' in value) {
      value.html = removeFrameworkScripts(value.html);
      value.headers = { ...value.headers, ...createPageHeaders(key, isStored && value.status !== 404) };
    }
    const text = isStored ? await compress(Buffer.from(readText(value)), 'gzip') : null;
    if (log.endRender(key, tags) || text === null) return;
    const cacheControl = 'cacheControl' in context ? context.cacheControl : undefined;
    const now = Date.now();
    const stored = replaceText(isScriptDataStored ? value : removeScriptData(value), '');
    const entry: PageEntry = {
      value: stored,
      text,
      lastModified: now,
      ...(cacheControl ? { cacheControl } : {}),
      tags,
      bytes: ENTRY_BYTES + text.length + countBufferBytes(stored),
      expiresAt: now + 1000 * Math.min(PAGE_LIFETIME_S, readLifetime(value, cacheControl?.revalidate)),
    };
    this.#entries.set(key, entry);
    addEntryUse({ key, entry });
  }

  /**
   * Deletes every entry with one of the given tags, in this instance and in the other instances. The next request
   * renders the page again.
   */
  async revalidateTag(tags: string | readonly string[]): Promise<void> {
    const changed = typeof tags === 'string' ? [tags] : tags;
    deleteEntries(changed);
    const shared = await shareExpirations();
    await shared?.send(changed);
  }

  resetRequestCache(): void {
    // The cache has no data per request, so there is nothing to reset.
  }
}

/** Deletes every entry with one of the given tags; all entries if the tags are null. */
function deleteEntries(tags: readonly string[] | null): void {
  if (tags?.length === 0) return;
  log.recordExpiration(tags);
  const changed = new Set(tags);
  for (const [key, entry] of [...(entries?.entries() ?? [])]) {
    if (tags === null || entry.tags.some((tag) => changed.has(tag))) entries?.delete(key);
  }
}

function shareExpirations(): Promise<SharedExpirations | null> {
  return (expirations ??= openExpirations(deleteEntries));
}

/**
 * Creates the headers that Next sends with a page. These headers replace the headers of the proxy or are merged with
 * the headers of the proxy.
 */
function createPageHeaders(key: string, isStored: boolean): Record<string, string> {
  return {
    ...(PAGE_WITH_OTHER_FORMAT.test(key) ? { vary: FORMAT_VARY } : {}),
    // Vercel reads the lifetime of a page from the header that Next creates.
    ...(isStored && !ERROR_PAGE.test(key) && process.env['VERCEL'] !== '1'
      ? { 'cache-control': PAGE_CACHE_CONTROL }
      : {}),
  };
}

/** Returns the lifetime of an entry in seconds; `Infinity` if the entry has no lifetime. */
function readLifetime(value: Value, revalidate: number | false | undefined): number {
  if (typeof revalidate === 'number') return revalidate;
  return value && 'revalidate' in value ? value.revalidate : Infinity;
}

/** Creates the exchange with the other instances through the database; null for a site of one instance. */
async function openExpirations(
  expire: (tags: readonly string[] | null) => void,
): Promise<SharedExpirations | null> {
  if (readSiteInstances(process.env) === 1) return null;
  // The database modules are loaded only on a site with several instances.
  const { openSharedExpirations } = await import('./shared-expirations.ts');
  return openSharedExpirations(expire);
}

/**
 * Returns true for a 404 page with a URL other than `/_not-found`. Such a page is not cached, because clients can
 * request any number of unknown URLs. Only the shared not-found page is cached.
 */
function isUncachedNotFound(key: string, value: Value): boolean {
  return value !== null && 'status' in value && value.status === 404 && !key.endsWith('/_not-found');
}

/** Returns a page without its data for the scripts of Next. The data has several times the size of the document. */
function removeScriptData(value: Value): Value {
  return value && 'segmentData' in value ? { ...value, rscData: undefined, segmentData: undefined } : value;
}

/** Returns the size of the buffers of a value in bytes: the data for the scripts of Next, or the body of a response. */
function countBufferBytes(value: Value): number {
  if (value && 'body' in value) return value.body.length;
  if (!value || !('segmentData' in value)) return 0;
  const buffers = [value.rscData, ...(value.segmentData?.values() ?? [])];
  return buffers.reduce((sum, buffer) => sum + (buffer?.length ?? 0), 0);
}

function collectTags(value: Value, context: SetContext): readonly string[] {
  const dataTags = 'tags' in context ? (context.tags ?? []) : [];
  const header = value && 'headers' in value ? value.headers?.['x-next-cache-tags'] : undefined;
  return typeof header === 'string' ? [...dataTags, ...header.split(',')] : dataTags;
}

/** Returns the text of a value: the document of a page, or the body of data. Other values have no text. */
function readText(value: Value): string {
  if (value && 'html' in value) return value.html;
  return value && 'data' in value ? value.data.body : '';
}

/** Returns a value with other text. A value without text is returned unchanged. */
function replaceText(value: Value, text: string): Value {
  if (value && 'html' in value) return { ...value, html: text };
  return value && 'data' in value ? { ...value, data: { ...value.data, body: text } } : value;
}

/** Entry of the page cache that was used for a response, and the key of the entry. */
export interface EntryUse {
  readonly key: string;
  readonly entry: PageEntry;
}

const collectors = new AsyncLocalStorage<EntryUse[]>();

/**
 * Runs a function, and adds every cache entry that the function reads or stores to `uses`. Entries that the function
 * uses asynchronously are included.
 */
export function collectEntryUses<Result>(uses: EntryUse[], run: () => Result): Result {
  return collectors.run(uses, run);
}

/** Adds an entry to the collection of the current request. Without a collection, the function does nothing. */
function addEntryUse(use: EntryUse): void {
  collectors.getStore()?.push(use);
}

const SCRIPT_PATTERN = /<script\b([^>]*)>[\s\S]*?<\/script>/g;
const SCRIPT_PRELOAD_PATTERN = /<link\b(?=[^>]*\brel="(?:module)?preload")(?=[^>]*\bas="script")[^>]*>/g;

/**
 * Removes the scripts of Next from a rendered page, because no component of the page needs hydration. Our own scripts,
 * which are files outside `/_next/`, and JSON-LD blocks are kept.
 *
 * @param html Page as serialized by React. Text and attributes contain no unescaped `<` or `>`, and data blocks contain
 * no unescaped `<`, so the pattern matches only whole scripts. See the HTML standard, section 4.12.1.3.
 */
export function removeFrameworkScripts(html: string): string {
  return html
    .replace(SCRIPT_PATTERN, (script, attributes: string) => (isKeptScript(attributes) ? script : ''))
    .replace(SCRIPT_PRELOAD_PATTERN, '');
}

function isKeptScript(attributes: string): boolean {
  if (/\btype="application\/ld\+json"/.test(attributes)) return true;
  const source = /\bsrc="([^"]*)"/.exec(attributes)?.[1];
  return source !== undefined && !source.startsWith('/_next/');
}
