import { createHash } from 'node:crypto';
import { BodyTooLargeError, parseRetryAfter, readBoundedBytes } from '@touchstone/common';
import { z } from 'zod';

export interface PageRequest {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly userAgent: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Timeout for the whole response, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum size of the decoded body, in bytes. */
  readonly maxBytes: number;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
}

export type PageResult =
  | {
      readonly ok: true;
      readonly page: DirectoryPage;
      /** Size of the decoded body, in bytes. */
      readonly bytes: number;
    }
  | {
      readonly ok: false;
      readonly reason: string;
      /**
       * True when a retry may succeed, and false when a retry would fail too. `later` when the caller aborted the
       * request: then only the next run may retry.
       */
      readonly retry: boolean | 'later';
      /** True when the directory sent no response. */
      readonly unreached: boolean;
      /** Pause requested by `Retry-After`, in milliseconds; null without such a header. */
      readonly waitMs: number | null;
    };

function createFailure(reason: string, retry: boolean | 'later'): PageResult {
  return { ok: false, reason, retry, waitMs: null, unreached: false };
}

async function readResponse(response: Response, { maxBytes, now }: PageRequest): Promise<PageResult> {
  const { status } = response;
  if (status !== 200) {
    await response.body?.cancel();
    const waitMs = parseRetryAfter(response.headers, now());
    const retry = status === 429 || status >= 500;
    return { ok: false, reason: `HTTP status ${status}`, retry, waitMs, unreached: false };
  }
  const bytes = await readBoundedBytes(response.body, maxBytes);
  const text = new TextDecoder().decode(bytes);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return createFailure('a page is not JSON', true);
  }
  const page = parseDirectoryPage(body, text);
  return page === null
    ? createFailure('a page has no list of items', false)
    : { ok: true, page, bytes: bytes.byteLength };
}

/** Returns the code or message of a failed `fetch`. Node.js stores the error code in `cause`. */
function formatFetchError(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return error instanceof Error ? error.message : 'unknown reason';
}

/**
 * Requests one page of a directory, without retries. Returns a failure instead of rejecting. Does not follow redirects,
 * because the operator has approved only the configured URL.
 */
export async function fetchPage(request: PageRequest): Promise<PageResult> {
  const { signal, timeoutMs, userAgent } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await request.fetch(request.url, {
      headers: {
        accept: 'application/json',
        ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
      },
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return await readResponse(response, request);
  } catch (error) {
    if (error instanceof BodyTooLargeError)
      return createFailure(`a page is larger than ${error.maxBytes} bytes`, false);
    if (signal?.aborted === true) return createFailure('stopped', 'later');
    const reason = timeout.aborted
      ? `no response within ${timeoutMs} ms`
      : `unreachable: ${formatFetchError(error)}`;
    return { ok: false, reason, retry: true, waitMs: null, unreached: true };
  }
}

const count = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ])
  .pipe(z.number().int().nonnegative())
  .nullable()
  .catch(null);

const items = z.array(z.unknown());

/** Counts of a page. A page size of 0 counts as absent. */
const counts = { limit: count.transform((limit) => (limit === 0 ? null : limit)), total: count };

/** A list of items, with its counts in `pagination` or beside the list. */
const itemList = z
  .object({ items, pagination: z.object(counts).optional().catch(undefined), ...counts })
  .transform(({ items: listed, pagination, limit, total }) => ({
    items: listed,
    limit: pagination?.limit ?? limit,
    total: pagination?.total ?? total,
  }));

/**
 * Response formats of directories: the format of the x402 specification, the format of the search route in that
 * specification, and a format with a `data` wrapper.
 */
const directoryResponse = z.union([
  itemList,
  z
    .looseObject({ resources: items })
    .transform(({ resources, ...rest }) => ({ ...rest, items: resources }))
    .pipe(itemList),
  z.object({ data: itemList }).transform(({ data }) => data),
]);

export interface DirectoryPage {
  readonly items: readonly unknown[];
  /** Page size that the directory reports; null when the response does not contain it. */
  readonly limit: number | null;
  /** Total number of items that the directory reports; null when the response does not contain it. */
  readonly total: number | null;
  /** Hash that is equal for pages with the same items. */
  readonly digest: string;
}

/**
 * Serializes only the items of a page, so that a page that is repeated with another offset or date has the same digest.
 * JSON.stringify fails on very deep nesting; in that case the original text is returned.
 */
function serializeItems(listed: readonly unknown[], text: string): string {
  try {
    return JSON.stringify(listed);
  } catch {
    return text;
  }
}

/**
 * Parses a response of `GET /discovery/resources`. The list of items is required. Invalid counts become null.
 *
 * @param body - The body as parsed from JSON.
 * @param text - The body as received.
 * @returns The page; null when the response contains no list of items.
 */
function parseDirectoryPage(body: unknown, text: string): DirectoryPage | null {
  const parsed = directoryResponse.safeParse(body);
  if (!parsed.success) return null;
  const digest = createHash('sha256').update(serializeItems(parsed.data.items, text)).digest('base64');
  return { ...parsed.data, digest };
}
