import type { IncomingMessage } from 'node:http';
import { acceptsHtml } from '../api/accepts-html.ts';

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
