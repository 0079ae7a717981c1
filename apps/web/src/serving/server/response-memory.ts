import type { IncomingMessage, ServerResponse } from 'node:http';
import { MINUTE_MS } from '@touchstone/common';
import { MCP_PATH } from '@touchstone/contract';
import { LRUCache } from 'lru-cache';
import { readPreferredFormat } from '../../api/choose-format.ts';
import { takeDocumentText } from '../../api/document-texts.ts';
import type { EntryUse } from '../page-cache/page-cache.ts';
import { StoredResponse } from './stored-response.ts';

/** Maximum size of all stored responses with their encodings, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Maximum time for which a response is sent from memory, in milliseconds. After this time, the proxy checks again if the
 * endpoint was removed, because a removal expires no cache tag. The proxy caches its check for the same time (see
 * `cacheFound`), so a removed endpoint is visible for at most 20 minutes.
 */
const MAX_PAGE_AGE_MS = 10 * MINUTE_MS;

/**
 * Headers that belong to one response only, because they depend on its encoding, its connection, its time or its client.
 */
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
  /** Entries of the page cache that the response was made from. One entry has the document of a page. */
  readonly uses: readonly EntryUse[];
}

interface Stored {
  readonly response: StoredResponse;
  readonly uses: readonly EntryUse[];
  readonly expiresAt: number;
}

export interface ResponseMemory {
  /** Returns the stored response; null if no response is stored, or if one of its page cache entries is outdated. */
  find(key: string): StoredResponse | null;
  /** Stores a finished response of Next, if it may be sent to other clients. */
  store(key: string, finished: FinishedResponse): void;
}

export interface MemoryOptions {
  /** Returns true if an entry of the page cache is still current. */
  readonly isCurrent: (use: EntryUse) => boolean;
  readonly maxBytes?: number;
}

/**
 * Creates a memory of pages and documents. A stored response is made from entries of the page cache, and is valid as
 * long as all these entries are current. A response with an expired tag is therefore never sent.
 */
export function createResponseMemory({ isCurrent, maxBytes = MAX_BYTES }: MemoryOptions): ResponseMemory {
  const stored = new LRUCache<string, Stored>({
    maxSize: maxBytes,
    sizeCalculation: ({ response }, key) => response.bytes + key.length,
  });
  return {
    find: (key) => {
      const found = stored.get(key);
      if (found === undefined) return null;
      if (Date.now() < found.expiresAt && found.uses.every(isCurrent)) return found.response;
      stored.delete(key);
      return null;
    },
    store: (key, finished) => {
      const { response, uses } = finished;
      if (response.statusCode !== 200 || response.getHeader('set-cookie') !== undefined) return;
      const etag = response.getHeader('etag')?.toString();
      const body = takeDocumentText(etag ?? '') ?? readPage(finished);
      if (body === null || !uses.every(isCurrent)) return;
      stored.set(key, {
        response: new StoredResponse({ headers: readHeaders(response), etag, body }),
        uses,
        expiresAt: Date.now() + MAX_PAGE_AGE_MS,
      });
    },
  };
}

/**
 * Returns the document of a page that Next found in the page cache; null for other responses. A page is stored only at
 * its second request. Otherwise a crawler that requests every page once would fill the memory.
 */
function readPage({ response, uses }: FinishedResponse): Buffer | null {
  const [page, ...others] = uses.filter(({ entry: { value } }) => value && 'html' in value);
  const isPage = String(response.getHeader('content-type')).startsWith('text/html');
  if (!isPage || response.getHeader('x-nextjs-cache') !== 'HIT') return null;
  return page === undefined || others.length > 0 ? null : page.entry.text;
}

/** Returns the headers that every client gets. */
function readHeaders(response: FinishedResponse['response']): string[] {
  return Object.entries(response.getHeaders())
    .filter(([name]) => !OMITTED_HEADERS.has(name))
    .flatMap(([name, value]) => [value ?? []].flat().flatMap((text) => [name, String(text)]));
}

/**
 * Paths with pages for browsers, and JSON or the MCP server for programs. These pages are stored only for clients that
 * name `text/html`, because the responses to other clients also depend on their `User-Agent`.
 */
const PATHS_WITH_TWO_FORMATS = new Set(['/trust/leaderboard', '/trust/stats', MCP_PATH]);

/** Pattern of paths that Next does not change: without encoded characters, empty or dot segments, and queries. */
const PLAIN_PATH = /^\/(?:(?!\.{1,2}(?:\/|$))[\w.~:-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.~:-]+)*)?$/;

/** Pattern of the paths of documents. The documents do not depend on the query of their URL. */
const DOCUMENT_PATH =
  /^\/(?:openapi\.json|llms\.txt|robots\.txt|sitemap\.xml|sitemap\/|schemas\/|\.well-known\/)/;

/**
 * Returns the key of the stored response for a request; null if the request must be handled by Next. The key contains
 * everything in a request that changes a page: the path, and the protocol that the client uses, because responses over
 * HTTPS have one more header. `Range` is ignored, as Next does (RFC 9110, section 14.2).
 */
export function toMemoryKey({
  method,
  url: target = '',
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): string | null {
  const url = DOCUMENT_PATH.test(target) ? target.replace(/\?.*$/, '') : target;
  if ((method !== 'GET' && method !== 'HEAD') || !PLAIN_PATH.test(url)) return null;
  const protocol = headers['x-forwarded-proto'] ?? 'http';
  if (protocol !== 'http' && protocol !== 'https') return null;
  if (PATHS_WITH_TWO_FORMATS.has(url) && readPreferredFormat(headers.accept ?? null) !== 'html') return null;
  return `${protocol} ${url}`;
}
