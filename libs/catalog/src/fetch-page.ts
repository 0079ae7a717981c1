import { readDirectoryPage } from './directory-page.ts';
import type { DirectoryPage } from './directory-page.ts';

export interface PageRequest {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly userAgent: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds for the whole answer. */
  readonly timeoutMs: number;
  /** Bytes of the decoded body. */
  readonly maxBytes: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export type PageResult =
  | {
      readonly ok: true;
      readonly page: DirectoryPage;
      /** Size of the decoded body. */
      readonly bytes: number;
    }
  | {
      readonly ok: false;
      readonly reason: string;
      /** Whether asking again may help; it may help later when we were stopped ourselves. */
      readonly retry: boolean | 'later';
      /** No answer came at all. */
      readonly unreached: boolean;
      /** Milliseconds the directory asked us to wait, or null. */
      readonly waitMs: number | null;
    };

function failed(reason: string, retry: boolean | 'later'): PageResult {
  return { ok: false, reason, retry, waitMs: null, unreached: false };
}

/** Seconds or an HTTP date (RFC 9110, section 10.2.3). */
function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

interface Body {
  readonly text: string;
  readonly bytes: number;
}

/** The body as text, or null when it is over the limit; no more than the limit is kept. */
async function readBounded(response: Response, maxBytes: number): Promise<Body | null> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  // Every runtime's body yields bytes; their type declarations disagree on how the stream is called.
  const body = response.body as AsyncIterable<Uint8Array<ArrayBuffer>> | null;
  for await (const piece of body ?? []) {
    size += piece.byteLength;
    if (size > maxBytes) return null;
    text += decoder.decode(piece, { stream: true });
  }
  return { text: text + decoder.decode(), bytes: size };
}

async function readResponse(response: Response, { maxBytes, now }: PageRequest): Promise<PageResult> {
  const { status } = response;
  if (status !== 200) {
    await response.body?.cancel();
    const waitMs = readRetryAfter(response.headers.get('retry-after'), now());
    const retry = status === 429 || status >= 500;
    return { ok: false, reason: `answered ${status}`, retry, waitMs, unreached: false };
  }
  const read = await readBounded(response, maxBytes);
  if (read === null) return failed(`a page is larger than ${maxBytes} bytes`, false);
  let body: unknown;
  try {
    body = JSON.parse(read.text);
  } catch {
    return failed('a page is not JSON', true);
  }
  const page = readDirectoryPage(body, read.text);
  return page === null ? failed('a page has no list of items', false) : { ok: true, page, bytes: read.bytes };
}

/** What Node says went wrong lies one level below what `fetch` says. */
function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return error instanceof Error ? error.message : 'unknown reason';
}

/**
 * Asks a directory for one page, once. Never rejects; redirects are not followed, because a directory is where its
 * operator said it is.
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
    if (signal?.aborted === true) return failed('stopped', 'later');
    const reason = timeout.aborted ? `no answer within ${timeoutMs} ms` : `not reached: ${reasonOf(error)}`;
    return { ok: false, reason, retry: true, waitMs: null, unreached: true };
  }
}
