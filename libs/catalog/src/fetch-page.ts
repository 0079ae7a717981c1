import { readDirectoryPage } from './directory-page.ts';
import type { DirectoryPage } from './directory-page.ts';

export interface PageRequest {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds for the whole answer. */
  readonly timeoutMs: number;
  /** Bytes of the decoded body. */
  readonly maxBytes: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export type PageResult =
  | { readonly ok: true; readonly page: DirectoryPage }
  | {
      readonly ok: false;
      readonly reason: string;
      /** Whether asking again may help. */
      readonly retry: boolean;
      /** Milliseconds the directory asked us to wait, or null. */
      readonly waitMs: number | null;
    };

function failed(reason: string, retry: boolean): PageResult {
  return { ok: false, reason, retry, waitMs: null };
}

/** Seconds or an HTTP date (RFC 9110, section 10.2.3). */
function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** The body as text, or null when it is over the limit; no more than the limit is kept. */
async function readBounded(response: Response, maxBytes: number): Promise<string | null> {
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
  return text + decoder.decode();
}

async function readResponse(response: Response, { maxBytes, now }: PageRequest): Promise<PageResult> {
  const { status } = response;
  if (status !== 200) {
    await response.body?.cancel();
    const waitMs = readRetryAfter(response.headers.get('retry-after'), now());
    return { ok: false, reason: `answered ${status}`, retry: status === 429 || status >= 500, waitMs };
  }
  const text = await readBounded(response, maxBytes);
  if (text === null) return failed(`a page is larger than ${maxBytes} bytes`, false);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return failed('a page is not JSON', true);
  }
  const page = readDirectoryPage(body, text);
  return page === null ? failed('a page has no list of items', false) : { ok: true, page };
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
  const { signal, timeoutMs } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await request.fetch(request.url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return await readResponse(response, request);
  } catch (error) {
    if (signal?.aborted === true) return failed('stopped', false);
    return failed(
      timeout.aborted ? `no answer within ${timeoutMs} ms` : `not reached: ${reasonOf(error)}`,
      true,
    );
  }
}
