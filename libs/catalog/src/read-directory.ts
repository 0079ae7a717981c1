import { setTimeout as wait } from 'node:timers/promises';
import type { DirectoryPage } from './directory-page.ts';
import { fetchPage } from './fetch-page.ts';
import type { PageResult } from './fetch-page.ts';

export interface DirectoryLimits {
  /** Milliseconds for one page. */
  readonly pageMs: number;
  /** Bytes of one page, decoded. */
  readonly pageBytes: number;
  readonly pages: number;
  /** Requests for one page, the first included. */
  readonly attempts: number;
  /** Milliseconds; a directory that asks for more patience is left for the next time. */
  readonly waitMs: number;
}

export interface ReadDirectoryOptions {
  /** Base URL of the facilitator; `/discovery/resources` is appended. */
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  /** Called with the items of each page, in order and one at a time. */
  readonly onPage: (items: readonly unknown[]) => Promise<void> | void;
  readonly pageSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly limits?: Partial<DirectoryLimits> | undefined;
  readonly sleep?: ((ms: number) => Promise<unknown>) | undefined;
  readonly now?: (() => number) | undefined;
}

export interface DirectoryRead {
  /** True when every item was seen, as far as can be told: only then does an absence mean anything. */
  readonly complete: boolean;
  /** Why the reading is not complete. */
  readonly reason: string | null;
  readonly pages: number;
  readonly items: number;
  /** What the directory said last that it has. */
  readonly total: number | null;
}

const defaultLimits: DirectoryLimits = {
  pageMs: 30_000,
  pageBytes: 64 * 1024 * 1024,
  pages: 5_000,
  attempts: 5,
  waitMs: 60_000,
};

/** Below this share of the advertised total something was lost on the way; directories do count a few too many. */
const plausibleShare = 0.9;

interface Walk {
  readonly options: ReadDirectoryOptions;
  readonly limits: DirectoryLimits;
  readonly base: string;
  readonly digests: Set<string>;
  step: number;
  offset: number;
  pages: number;
  items: number;
  total: number | null;
}

/** Exponential from one second, or what the directory asks for; null when that is more than we will wait. */
function backOffMs(attempt: number, asked: number | null, limits: DirectoryLimits): number | null {
  if (asked !== null && asked > limits.waitMs) return null;
  return Math.min(Math.max(1_000 * 2 ** attempt, asked ?? 0), limits.waitMs);
}

async function requestPage({ options, limits, base, offset, step }: Walk): Promise<PageResult> {
  const { fetch, signal, now = Date.now } = options;
  const sleep = options.sleep ?? ((ms: number) => wait(ms, undefined, { signal }).catch(() => undefined));
  const request = { fetch, signal, now, timeoutMs: limits.pageMs, maxBytes: limits.pageBytes };
  const url = `${base}/discovery/resources?type=http&limit=${step}&offset=${offset}`;
  for (let attempt = 0; ; attempt += 1) {
    const result = await fetchPage({ ...request, url });
    if (result.ok || !result.retry || attempt + 1 >= limits.attempts) return result;
    const ms = backOffMs(attempt, result.waitMs, limits);
    if (ms === null) return { ...result, reason: `${result.reason} and asked to wait ${result.waitMs} ms` };
    await sleep(ms);
  }
}

/** Why the walk cannot be trusted though it reached the end; null when it can. */
function doubt({ items, total }: Walk): string | null {
  if (items === 0) return 'the directory listed nothing';
  const missed = total !== null && items < total * plausibleShare;
  return missed ? `only ${items} of ${total} items were listed` : null;
}

/** Takes a page into account. The first page tells the page size the directory really works with. */
function advance(walk: Walk, page: DirectoryPage): void {
  if (walk.pages === 0 && page.limit !== null && page.limit >= 1) walk.step = Math.min(walk.step, page.limit);
  walk.digests.add(page.digest);
  walk.pages += 1;
  walk.items += page.items.length;
  walk.offset += walk.step;
  walk.total = page.total;
}

/** A total below what was already listed is no total, and only an empty page ends the walk. */
function isAtEnd({ total, items, offset }: Walk): boolean {
  return total !== null && total >= items && offset >= total;
}

/** Walks on until the end; returns why not everything was read, or null. */
async function walkPages(walk: Walk): Promise<string | null> {
  while (walk.pages < walk.limits.pages) {
    const result = await requestPage(walk);
    if (!result.ok) return `${result.reason}, at offset ${walk.offset}`;
    const { page } = result;
    if (page.items.length === 0) return doubt(walk);
    if (walk.digests.has(page.digest)) return `the page at offset ${walk.offset} repeats an earlier one`;
    await walk.options.onPage(page.items);
    advance(walk, page);
    if (isAtEnd(walk)) return doubt(walk);
  }
  return `there is no end after ${walk.limits.pages} pages`;
}

/**
 * Reads a discovery directory from its first page to its last (`GET /discovery/resources`, x402 v2 specification,
 * section 8). The walk is aligned, each offset a multiple of the page size, because directories round offsets to
 * pages; a short page is not the end, an empty one or the advertised total is. What is slow, failing or throttled
 * (429, 5xx) is asked again with growing pauses. A directory that repeats itself or never ends is left.
 *
 * @param options - `pageSize` is 1,000 unless given; the limits, the pauses and the clock can be replaced.
 * @returns How far it got. Rejects only with what `onPage` throws.
 */
export async function readDirectory(options: ReadDirectoryOptions): Promise<DirectoryRead> {
  const walk: Walk = {
    options,
    limits: { ...defaultLimits, ...options.limits },
    base: options.url.replace(/\/+$/, ''),
    digests: new Set(),
    step: options.pageSize ?? 1_000,
    offset: 0,
    pages: 0,
    items: 0,
    total: null,
  };
  const reason = await walkPages(walk);
  const { pages, items, total } = walk;
  return { complete: reason === null, reason, pages, items, total };
}
