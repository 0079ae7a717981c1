import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS } from '@touchstone/common';
import { type DirectoryPage, fetchPage, type PageResult } from './fetch-page.ts';
import { toPageUrl } from './directory-source.ts';

interface DirectoryLimits {
  /** Timeout of one page request, in milliseconds. */
  readonly pageTimeoutMs: number;
  /** Maximum size of one decoded page, in bytes. */
  readonly maxPageBytes: number;
  /** Maximum number of pages of one complete reading. A complete reading can take several runs of a job. */
  readonly maxPages: number;
  /** Maximum size of all decoded pages of one run together, in bytes. */
  readonly maxTotalBytes: number;
  /** Maximum number of requests for one page, including the first. */
  readonly maxAttempts: number;
  /**
   * Maximum pause before a retry, in milliseconds. If the directory requests a longer pause by `Retry-After`, the run
   * ends.
   */
  readonly maxWaitMs: number;
  /** Maximum number of pages that one run reads. The next run continues with the remaining pages. */
  readonly maxRunPages: number;
  /** Maximum duration of one run, in milliseconds. The next run continues with the remaining pages. */
  readonly maxRunMs: number;
}

/** Position in a directory where the next run of a job continues reading. */
export interface DirectoryCursor {
  readonly offset: number;
  /** Page size that the directory actually uses; null before the first page was read. */
  readonly pageSize: number | null;
  readonly pages: number;
  readonly items: number;
  /** Total number of items that the directory reported last. */
  readonly total: number | null;
}

export interface ReadDirectoryOptions {
  /**
   * Base URL of the facilitator. The path `/discovery/resources` is appended to a URL that does not end in
   * `/resources`.
   */
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  /**
   * Called with the items of each page and the position of the next page. Pages arrive in order, and the next call
   * waits for the previous call.
   */
  readonly onPage: (items: readonly unknown[], next: DirectoryCursor) => Promise<void> | void;
  /** Position at which an earlier run of the reader stopped. */
  readonly resumeFrom?: DirectoryCursor | undefined;
  readonly pageSize?: number | undefined;
  /** User-Agent header of the requests. */
  readonly userAgent?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly limits?: Partial<DirectoryLimits> | undefined;
  readonly sleep?: ((ms: number) => Promise<unknown>) | undefined;
  readonly now?: (() => number) | undefined;
}

export interface DirectoryReadResult {
  /**
   * True when nearly all items of the directory were read. A missing endpoint counts as delisted only after a complete
   * reading.
   */
  readonly complete: boolean;
  /** Reason why the reading is incomplete; null for a complete reading. */
  readonly reason: string | null;
  /** Position at which the next run continues; null when no run can continue the reading. */
  readonly next: DirectoryCursor | null;
  /** Pause that the directory requested by `Retry-After`, in milliseconds; null without such a header. */
  readonly waitMs: number | null;
  /** True when the last request got no response. The cause may be our own network. */
  readonly unreached: boolean;
  readonly pages: number;
  readonly items: number;
  /** Total number of items that the directory reported last. */
  readonly total: number | null;
}

const DEFAULT_LIMITS: DirectoryLimits = {
  pageTimeoutMs: 30_000,
  maxPageBytes: 64 * 1024 * 1024,
  maxPages: 20_000,
  maxTotalBytes: 8 * 1024 ** 3,
  maxAttempts: 5,
  maxWaitMs: 60_000,
  maxRunPages: Infinity,
  maxRunMs: 15 * MINUTE_MS,
};

/**
 * Minimum share of the reported total that must be read for a complete reading, from 0 to 1. The share is below 1,
 * because directories report slightly too many items.
 */
const MIN_LISTED_SHARE = 0.9;

/** Progress of one run of the directory reader. */
interface ReadState {
  readonly options: ReadDirectoryOptions;
  readonly limits: DirectoryLimits;
  readonly digests: Set<string>;
  readonly deadline: number;
  pageSize: number;
  offset: number;
  pages: number;
  items: number;
  bytes: number;
  total: number | null;
}

type Failure = Extract<PageResult, { readonly ok: false }>;

/** Reason why a run of the reader ended. `resumable` is true when the next run can continue at the same position. */
interface ReadEnd {
  readonly reason: string | null;
  readonly resumable: boolean;
  readonly waitMs?: number | null;
  readonly unreached?: boolean;
}

function createFinalEnd(reason: string | null): ReadEnd {
  return { reason, resumable: false };
}

/**
 * Returns the pause before a retry. The pause grows exponentially from one second, and is at least the pause that the
 * directory requested. Returns null when the requested pause is too long.
 */
function computeBackoffMs(
  attempt: number,
  requestedMs: number | null,
  limits: DirectoryLimits,
): number | null {
  if (requestedMs !== null && requestedMs > limits.maxWaitMs) return null;
  return Math.min(Math.max(1_000 * 2 ** attempt, requestedMs ?? 0), limits.maxWaitMs);
}

async function requestPage({ options, limits, offset, pageSize }: ReadState): Promise<PageResult> {
  const { fetch, signal, userAgent, now = Date.now } = options;
  const sleep = options.sleep ?? ((ms: number) => wait(ms, undefined, { signal }).catch(() => undefined));
  const request = {
    fetch,
    signal,
    userAgent,
    now,
    timeoutMs: limits.pageTimeoutMs,
    maxBytes: limits.maxPageBytes,
  };
  const url = toPageUrl(options.url, { limit: pageSize, offset });
  for (let attempt = 0; ; attempt += 1) {
    const result = await fetchPage({ ...request, url });
    if (result.ok || result.retry !== true || attempt + 1 >= limits.maxAttempts) return result;
    const ms = computeBackoffMs(attempt, result.waitMs, limits);
    if (ms === null)
      return { ...result, reason: `${result.reason} with a Retry-After of ${result.waitMs} ms` };
    await sleep(ms);
  }
}

/**
 * Checks a reading that reached the last page. Returns the reason why items are probably missing, or null when the
 * reading seems complete.
 */
function findGap({ items, total }: ReadState): string | null {
  if (items === 0) return 'the directory listed nothing';
  const missed = total !== null && items < total * MIN_LISTED_SHARE;
  return missed ? `only ${items} of ${total} items were listed` : null;
}

/**
 * Updates the progress of the run after a directory page was read. The first page also shows the page size that the
 * directory uses: the reported limit, or else the number of items.
 */
function recordPage(state: ReadState, page: DirectoryPage): void {
  if (state.pages === 0) state.pageSize = Math.min(state.pageSize, page.limit ?? page.items.length);
  state.digests.add(page.digest);
  state.pages += 1;
  state.items += page.items.length;
  state.offset += state.pageSize;
  state.total = page.total;
}

/**
 * Returns true when the run has reached the reported total. A reported total below the number of items already read is
 * ignored, so only an empty page ends such a reading.
 */
function isAtEnd({ total, items, offset }: ReadState): boolean {
  return total !== null && total >= items && offset >= total;
}

function toCursor({ offset, pageSize, pages, items, total }: ReadState): DirectoryCursor {
  return { offset, pageSize: pages === 0 ? null : pageSize, pages, items, total };
}

function createFailureEnd({ offset }: ReadState, { reason, retry, waitMs, unreached }: Failure): ReadEnd {
  return { reason: `${reason} at offset ${offset}`, resumable: retry !== false, waitMs, unreached };
}

/**
 * Returns the reason to end the run because of a limit; null when no limit is reached. After `maxPages` or
 * `maxTotalBytes`, the reading is over. After `maxRunPages` or `maxRunMs`, the next run continues.
 */
function findLimitEnd(state: ReadState, runPages: number): ReadEnd | null {
  const { limits, options } = state;
  if (state.pages >= limits.maxPages)
    return createFinalEnd(`the directory has more than ${state.pages} pages`);
  if (state.bytes > limits.maxTotalBytes)
    return createFinalEnd(`all pages together are larger than ${limits.maxTotalBytes} bytes`);
  const now = options.now ?? Date.now;
  if (runPages < limits.maxRunPages && now() < state.deadline) return null;
  return { reason: `paused after ${state.pages} pages`, resumable: true };
}

/** Reads pages until the run reaches the end of the directory, a limit or a failure. */
async function readPages(state: ReadState): Promise<ReadEnd> {
  for (let runPages = 0; ; runPages += 1) {
    const limitEnd = findLimitEnd(state, runPages);
    if (limitEnd !== null) return limitEnd;
    const result = await requestPage(state);
    // A directory may refuse or repeat pages after its end. A failure that can be temporary may hide items.
    const isOver = isAtEnd(state);
    if (!result.ok)
      return isOver && result.retry === false
        ? createFinalEnd(findGap(state))
        : createFailureEnd(state, result);
    const { page, bytes } = result;
    const isRepeated = state.digests.has(page.digest);
    if (page.items.length === 0 || (isOver && isRepeated)) return createFinalEnd(findGap(state));
    if (isRepeated) return createFinalEnd(`the page at offset ${state.offset} repeats an earlier one`);
    state.bytes += bytes;
    // The total of a full first page may be the number of its items, so another page is requested.
    const mayContinue =
      state.pages === 0 && page.items.length >= Math.min(state.pageSize, page.limit ?? Infinity);
    recordPage(state, page);
    await state.options.onPage(page.items, toCursor(state));
    if (isAtEnd(state) && !mayContinue) return createFinalEnd(findGap(state));
  }
}

function createReadState(options: ReadDirectoryOptions): ReadState {
  const { resumeFrom, pageSize = 1_000, now = Date.now } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  return {
    options,
    limits,
    digests: new Set(),
    deadline: now() + limits.maxRunMs,
    pageSize: resumeFrom?.pageSize ?? pageSize,
    offset: resumeFrom?.offset ?? 0,
    pages: resumeFrom?.pages ?? 0,
    items: resumeFrom?.items ?? 0,
    bytes: 0,
    total: resumeFrom?.total ?? null,
  };
}

/**
 * Reads a discovery directory page by page (`GET /discovery/resources`, x402 v2 specification, section 8). Each offset
 * is a multiple of the page size, because directories round offsets to pages. The reading ends at an empty page or at
 * the reported total. A short page does not end the reading. Timeouts, 429 and 5xx responses are retried with growing
 * pauses. The reading stops when the directory repeats a page or exceeds a limit.
 *
 * @param options - `pageSize` is 1,000 by default. `resumeFrom` continues an earlier run. Limits, sleep and clock can
 *   be replaced.
 * @returns The result. Its counts include earlier runs of the same reading. Rejects only with errors thrown by
 *   `onPage`.
 */
export async function readDirectory(options: ReadDirectoryOptions): Promise<DirectoryReadResult> {
  const state = createReadState(options);
  const { reason, resumable, waitMs = null, unreached = false } = await readPages(state);
  const { pages, items, total } = state;
  const next = resumable ? toCursor(state) : null;
  return { complete: reason === null, reason, next, waitMs, unreached, pages, items, total };
}
