import type { IncomingMessage, ServerResponse } from 'node:http';
import { PAYMENT_HEADERS } from '@touchstone/contract';
import { type EntryUse, collectEntryUses } from '../page-cache/page-cache.ts';
import { type ResponseMemory, toMemoryKey } from './response-memory.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface ListenerOptions {
  /** Handles a request with Next. */
  readonly handle: Handler;
  readonly memory: ResponseMemory;
  /** Deletes the pages that other instances of the site have expired. */
  readonly receiveExpirations: () => Promise<void>;
}

/**
 * Creates the listener of the web server. The listener responds from memory if possible, and otherwise passes the
 * request to Next.
 */
export function createListener({ handle, memory, receiveExpirations }: ListenerOptions): Handler {
  const handleAndStore = (key: string, request: IncomingMessage, response: ServerResponse) => {
    // Only responses to GET are stored. A response to HEAD has no body and fewer headers.
    if (request.method !== 'GET') return handle(request, response);
    const uses: EntryUse[] = [];
    response.once('finish', () => memory.store(key, { response, uses }));
    return collectEntryUses(uses, () => handle(request, response));
  };
  return async (request, response) => {
    normalizeRequest(request);
    hideProxyHeaders(response);
    const key = toMemoryKey(request);
    if (key === null) return handle(request, response);
    await receiveExpirations();
    const stored = memory.find(key);
    return stored === null ? handleAndStore(key, request, response) : stored.send(request, response);
  };
}

/**
 * Leaves the headers `x-middleware-*` out of a response. Next reads these headers from the response of the proxy, and
 * sends some of them to the client. The internal path in `x-middleware-rewrite` can contain the address of the client.
 */
function hideProxyHeaders(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) =>
    name.startsWith('x-middleware-') ? response : setHeader(name, value);
}

type RawRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
};

/**
 * Pattern of the request headers of Next's own protocols, such as `rsc` and `next-router-prefetch`. Only scripts of
 * Next and its hosting platforms send these headers, and the pages of the site have no such script.
 */
const NEXT_HEADER = /^(?:rsc$|next-|x-nextjs-|x-middleware-|x-prerender-|x-now-route-|x-matched-path$)/;

/** Query that the router of Next adds to its requests. */
const NEXT_QUERY = /\?_rsc(?:=[\w-]*)?$/;

/**
 * Pattern of the second path of each page, for the scripts of Next. The part after `/data` is left out, so that no page
 * has this path.
 */
const NEXT_DATA = /^(\/_next\/data)\/.*$/;

/**
 * Changes a request so that the site can process it.
 *
 * - The address of the TCP connection is appended to `X-Forwarded-For`, as a proxy does. Rate limits use this address,
 *   so clients cannot choose the address.
 * - Headers and the query of Next's own protocols are removed, so that each page has one representation.
 * - TRACE becomes UNKNOWN, because a Fetch API `Request` cannot have the method TRACE (Fetch standard, section 2.2.1).
 *   The site refuses UNKNOWN as an unknown method.
 * - `PAYMENT-SIGNATURE` and `X-PAYMENT` are removed unless the method is POST. With one of these headers, a request skips
 *   the proxy, but only the proxy refuses unknown methods.
 * - A target in absolute form or `*` (RFC 9112, section 3.2) becomes a path.
 */
export function normalizeRequest(request: RawRequest): void {
  const { headers, socket } = request;
  for (const name of Object.keys(headers)) {
    if (NEXT_HEADER.test(name)) Reflect.deleteProperty(headers, name);
  }
  const received = headers['x-forwarded-for'];
  const hops = [received, socket.remoteAddress ?? 'unknown'].flat().filter((hop) => hop !== undefined);
  headers['x-forwarded-for'] = hops.join(', ');
  if (request.method !== 'POST') {
    for (const name of Object.values(PAYMENT_HEADERS)) Reflect.deleteProperty(headers, name);
  }
  if (request.method === 'TRACE') request.method = 'UNKNOWN';
  if (request.url?.startsWith('/') === false) request.url = toPath(request.url);
  request.url = request.url?.replace(NEXT_QUERY, '').replace(NEXT_DATA, '$1');
}

function toPath(target: string): string {
  const url = URL.parse(target);
  return url === null ? `/${encodeURIComponent(target)}` : `${url.pathname}${url.search}`;
}
