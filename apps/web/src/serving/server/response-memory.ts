import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { acceptsHtml } from '../../api/read-request.ts';
import type { EntryUse } from '../page-cache/page-cache.ts';
import { StoredResponse, type StoredResponseOptions } from './stored-response.ts';

/** Maximum size of all stored responses with their encodings, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Maximum time for which a page is sent from memory, in milliseconds. After this time Next responds once, so that the
 * proxy checks whether the endpoint was removed, which expires no tag. The proxy remembers an endpoint for the same
 * time (see `cacheFound`), so a removed endpoint is visible for at most the sum of both times, 20 minutes.
 */
const MAX_PAGE_AGE_MS = 10 * 60_000;

/** Headers that belong to one response: those of its encoding, its connection, its time and its client. */
const OMITTED_HEADERS = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'etag',
  'keep-alive',
  'ratelimit',
  'ratelimit-policy',
  'transfer-encoding',
]);

interface FinishedResponse {
  readonly response: Pick<ServerResponse, 'statusCode' | 'getHeader' | 'getHeaders'>;
  /** Entries of the page cache that the response was made from. */
  readonly uses: readonly EntryUse[];
  /** Body without encoding; null if it was not captured. The body of a page is in its entry of the page cache. */
  readonly body: Buffer | null;
}

interface Stored {
  readonly response: StoredResponse;
  readonly uses: readonly EntryUse[];
  readonly expiresAt: number;
}

export interface ResponseMemory {
  /** Returns the stored response; null if there is none, or if one of its entries is not the current one. */
  find(key: MemoryKey): StoredResponse | null;
  /** Stores a finished response of Next, if it may be sent to other clients. */
  store(key: MemoryKey, finished: FinishedResponse): void;
}

export interface MemoryOptions {
  /** Returns true if an entry of the page cache is still the current one. */
  readonly isCurrent: (use: EntryUse) => boolean;
  readonly maxBytes?: number;
}

/**
 * Creates a memory of responses. A response is valid as long as each entry of the page cache that it was made from is
 * the current one. A response with an expired tag is therefore never sent.
 */
export function createResponseMemory({ isCurrent, maxBytes = MAX_BYTES }: MemoryOptions): ResponseMemory {
  const stored = new LRUCache<string, Stored>({
    maxSize: maxBytes,
    sizeCalculation: ({ response }, text) => response.bytes + text.length,
  });
  return {
    find: ({ text }) => {
      const found = stored.get(text);
      if (found === undefined) return null;
      if (Date.now() < found.expiresAt && found.uses.every(isCurrent)) return found.response;
      stored.delete(text);
      return null;
    },
    store: ({ kind, text }, finished) => {
      const { response, uses, body } = finished;
      if (response.statusCode !== 200 || response.getHeader('set-cookie') !== undefined) return;
      const content = kind === 'page' ? readPage(finished) : readJson(response, body);
      if (content === null || uses.length === 0 || !uses.every(isCurrent)) return;
      stored.set(text, {
        response: new StoredResponse({ ...content, headers: readHeaders(response) }),
        uses,
        expiresAt: Date.now() + content.maxAgeMs,
      });
    },
  };
}

type Content = Omit<StoredResponseOptions, 'headers'> & {
  readonly maxAgeMs: number;
};

/**
 * Returns the document of a page that Next found in the page cache; null for other responses. A page is stored at its
 * second request, so that a crawler that requests every page once fills no memory.
 */
function readPage({ response, uses }: FinishedResponse): Content | null {
  const [page, ...others] = uses.flatMap(({ entry: { value } }) => (value && 'html' in value ? [value] : []));
  const isPage = String(response.getHeader('content-type')).startsWith('text/html');
  if (!isPage || response.getHeader('x-nextjs-cache') !== 'HIT') return null;
  if (page === undefined || others.length > 0) return null;
  return { body: page.html, etag: response.getHeader('etag')?.toString(), maxAgeMs: MAX_PAGE_AGE_MS };
}

/** Returns a captured JSON document that public caches may store; null for other responses. */
function readJson(response: FinishedResponse['response'], body: Buffer | null): Content | null {
  const maxAge = /^public, max-age=(\d+)$/.exec(String(response.getHeader('cache-control')))?.[1];
  if (body === null || maxAge === undefined || response.getHeader('content-encoding') !== undefined)
    return null;
  const etag = response.getHeader('etag')?.toString();
  return { body, etag, maxAgeMs: 1000 * Number(maxAge), createdAt: Date.now() };
}

/** Returns the headers that every client gets. */
function readHeaders(response: FinishedResponse['response']): string[] {
  return Object.entries(response.getHeaders())
    .filter(([name]) => !OMITTED_HEADERS.has(name))
    .flatMap(([name, value]) => [value ?? []].flat().flatMap((text) => [name, String(text)]));
}

/** Paths with pages for browsers and JSON for programs. */
const PATHS_WITH_TWO_FORMATS = new Set(['/trust/leaderboard', '/trust/stats']);

/** Paths whose JSON responses are the same for every client. */
const JSON_PATHS = new Set([...PATHS_WITH_TWO_FORMATS, '/v1/x402-trust-preview']);

/** Path of the MCP server, which responds with its page only to browsers. */
const MCP_PATH = '/mcp';

/** Pattern of paths that Next does not change: without encoded characters, empty or dot segments, and queries. */
const PLAIN_PATH = /^\/(?:(?!\.{1,2}(?:\/|$))[\w.~:-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.~:-]+)*)?$/;

/** Kind of a response that can be stored in memory. */
type ResponseKind = 'page' | 'json';

export interface MemoryKey {
  readonly kind: ResponseKind;
  /** Requests with the same text get the same response, apart from its encoding. */
  readonly text: string;
}

/**
 * Returns the key of the stored response to a request; null if the request must be handled by Next. The key contains
 * everything in a request that changes a page: the path, the format, and the protocol that the client uses, because
 * responses over HTTPS have one more header. `Range` is ignored, as Next does (RFC 9110, section 14.2).
 */
export function toMemoryKey({
  method,
  url = '',
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): MemoryKey | null {
  if ((method !== 'GET' && method !== 'HEAD') || !PLAIN_PATH.test(url)) return null;
  const protocol = headers['x-forwarded-proto'] ?? 'http';
  if (protocol !== 'http' && protocol !== 'https') return null;
  const kind = getKind(url, headers.accept);
  return kind === null ? null : { kind, text: `${protocol} ${kind} ${url}` };
}

function getKind(path: string, accept: string | undefined): ResponseKind | null {
  if (path === MCP_PATH) return acceptsHtml(accept ?? null) ? 'page' : null;
  if (!JSON_PATHS.has(path)) return 'page';
  return PATHS_WITH_TWO_FORMATS.has(path) && acceptsHtml(accept ?? null) ? 'page' : 'json';
}
