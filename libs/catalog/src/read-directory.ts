import { setTimeout as wait } from 'node:timers/promises';
import type { DirectoryPage } from './directory-page.ts';
import { pageAddress } from './directory-source.ts';
import { fetchPage } from './fetch-page.ts';
import type { PageResult } from './fetch-page.ts';

export interface DirectoryLimits {
  /** Milliseconds for one page. */
  readonly pageMs: number;
  /** Bytes of one page, decoded. */
  readonly pageBytes: number;
  /** Pages from the first one on, those of an interrupted reading included. */
  readonly pages: number;
  /** Bytes of all pages of one reading, decoded. */
  readonly totalBytes: number;
  /** Requests for one page, the first included. */
  readonly attempts: number;
  /** Milliseconds; a directory that asks for more patience is left for the next time. */
  readonly waitMs: number;
  /** Pages and milliseconds of one sitting; what is left is for the next one. */
  readonly sittingPages: number;
  readonly sittingMs: number;
}

/** Where a reading has got to, for it to go on there. */
export interface DirectoryPlace {
  readonly offset: number;
  /** Items a page; null before the first page has shown what the directory gives. */
  readonly pageSize: number | null;
  readonly pages: number;
  readonly items: number;
  /** What the directory said last that it has. */
  readonly total: number | null;
}

export interface ReadDirectoryOptions {
  /** Base URL of the facilitator; `/discovery/resources` is appended unless it ends in `/resources`. */
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  /** Called with the items of each page, in order and one at a time, and with where the next page begins. */
  readonly onPage: (items: readonly unknown[], next: DirectoryPlace) => Promise<void> | void;
  /** Where an earlier reading was interrupted. */
  readonly from?: DirectoryPlace | undefined;
  readonly pageSize?: number | undefined;
  /** Who is asking. */
  readonly userAgent?: string | undefined;
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
  /** Where it may go on another time; null when it has come to an end, complete or not. */
  readonly next: DirectoryPlace | null;
  /** Milliseconds the directory wants to be left alone, or null. */
  readonly waitMs: number | null;
  /** The directory could not be reached at all in the end, which may be the fault of our own network. */
  readonly unreached: boolean;
  readonly pages: number;
  readonly items: number;
  /** What the directory said last that it has. */
  readonly total: number | null;
}

const defaultLimits: DirectoryLimits = {
  pageMs: 30_000,
  pageBytes: 64 * 1024 * 1024,
  pages: 20_000,
  totalBytes: 8 * 1024 ** 3,
  attempts: 5,
  waitMs: 60_000,
  sittingPages: Infinity,
  sittingMs: 15 * 60_000,
};

/** Below this share of the advertised total something was lost on the way; directories do count a few too many. */
const plausibleShare = 0.9;

interface Walk {
  readonly options: ReadDirectoryOptions;
  readonly limits: DirectoryLimits;
  readonly digests: Set<string>;
  readonly endsAt: number;
  step: number;
  offset: number;
  pages: number;
  items: number;
  bytes: number;
  total: number | null;
}

type Failure = Extract<PageResult, { readonly ok: false }>;

/** Why a walk stopped, and whether it may go on where it stopped. */
interface Stop {
  readonly reason: string | null;
  readonly resumable: boolean;
  readonly waitMs?: number | null;
  readonly unreached?: boolean;
}

function ended(reason: string | null): Stop {
  return { reason, resumable: false };
}

/** Exponential from one second, or what the directory asks for; null when that is more than we will wait. */
function backOffMs(attempt: number, asked: number | null, limits: DirectoryLimits): number | null {
  if (asked !== null && asked > limits.waitMs) return null;
  return Math.min(Math.max(1_000 * 2 ** attempt, asked ?? 0), limits.waitMs);
}

async function requestPage({ options, limits, offset, step }: Walk): Promise<PageResult> {
  const { fetch, signal, userAgent, now = Date.now } = options;
  const sleep = options.sleep ?? ((ms: number) => wait(ms, undefined, { signal }).catch(() => undefined));
  const request = { fetch, signal, userAgent, now, timeoutMs: limits.pageMs, maxBytes: limits.pageBytes };
  const url = pageAddress(options.url, { limit: step, offset });
  for (let attempt = 0; ; attempt += 1) {
    const result = await fetchPage({ ...request, url });
    if (result.ok || result.retry !== true || attempt + 1 >= limits.attempts) return result;
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

function placeOf({ offset, step, pages, items, total }: Walk): DirectoryPlace {
  return { offset, pageSize: pages === 0 ? null : step, pages, items, total };
}

function failedAt({ offset }: Walk, { reason, retry, waitMs, unreached }: Failure): Stop {
  return { reason: `${reason}, at offset ${offset}`, resumable: retry !== false, waitMs, unreached };
}

/** The bounds of the whole reading end it; those of a sitting leave the rest for another time. */
function bound(walk: Walk, sitting: number): Stop | null {
  const { limits, options } = walk;
  if (walk.pages >= limits.pages) return ended(`there is no end after ${walk.pages} pages`);
  if (walk.bytes > limits.totalBytes) return ended(`its pages are larger than ${limits.totalBytes} bytes`);
  const now = options.now ?? Date.now;
  if (sitting < limits.sittingPages && now() < walk.endsAt) return null;
  return { reason: `paused after ${walk.pages} pages`, resumable: true };
}

/** Walks on until the end, or until something stops it. */
async function walkPages(walk: Walk): Promise<Stop> {
  for (let sitting = 0; ; sitting += 1) {
    const stop = bound(walk, sitting);
    if (stop !== null) return stop;
    const result = await requestPage(walk);
    if (!result.ok) return failedAt(walk, result);
    const { page, bytes } = result;
    if (page.items.length === 0) return ended(doubt(walk));
    if (walk.digests.has(page.digest))
      return ended(`the page at offset ${walk.offset} repeats an earlier one`);
    walk.bytes += bytes;
    advance(walk, page);
    await walk.options.onPage(page.items, placeOf(walk));
    if (isAtEnd(walk)) return ended(doubt(walk));
  }
}

function setOut(options: ReadDirectoryOptions): Walk {
  const { from, pageSize = 1_000, now = Date.now } = options;
  const limits = { ...defaultLimits, ...options.limits };
  return {
    options,
    limits,
    digests: new Set(),
    endsAt: now() + limits.sittingMs,
    step: from?.pageSize ?? pageSize,
    offset: from?.offset ?? 0,
    pages: from?.pages ?? 0,
    items: from?.items ?? 0,
    bytes: 0,
    total: from?.total ?? null,
  };
}

/**
 * Reads a discovery directory from its first page to its last (`GET /discovery/resources`, x402 v2 specification,
 * section 8). The walk is aligned, each offset a multiple of the page size, because directories round offsets to
 * pages; a short page is not the end, an empty one or the advertised total is. What is slow, failing or throttled
 * (429, 5xx) is asked again with growing pauses. A directory that repeats itself or never ends is left.
 *
 * @param options - `pageSize` is 1,000 unless given; the limits, the pauses and the clock can be replaced. With `from`
 * it goes on where an earlier reading was interrupted.
 * @returns How far it got, from the first page on. Rejects only with what `onPage` throws.
 */
export async function readDirectory(options: ReadDirectoryOptions): Promise<DirectoryRead> {
  const walk = setOut(options);
  const { reason, resumable, waitMs = null, unreached = false } = await walkPages(walk);
  const { pages, items, total } = walk;
  const next = resumable ? placeOf(walk) : null;
  return { complete: reason === null, reason, next, waitMs, unreached, pages, items, total };
}
