import { type RequestListener, type Server, createServer } from 'node:http';
import { MINUTE_MS } from '@touchstone/common';
import { MAX_HEADERS_BYTES } from '@touchstone/contract';
import { refuseAmbiguousHost } from './refuse-ambiguous-host.ts';
import { destroyEnding, refuseUnreadable } from './refuse-unreadable.ts';

/** Maximum time for the headers of a request, in milliseconds. Node then responds with status 408. */
const HEADERS_TIMEOUT_MS = 15_000;

/**
 * Maximum time for a whole request with its body, in milliseconds. Request bodies have at most 64 KiB, or 4 MiB if
 * Inngest sends the request.
 */
const REQUEST_TIMEOUT_MS = 60_000;

/** Interval at which Node checks for requests that exceed the two maximum times, in milliseconds. */
const CHECK_INTERVAL_MS = 5_000;

/**
 * Time after which an idle connection is closed, in milliseconds. The time is longer than the 60 seconds of common
 * proxies. With a shorter time, the site would close connections that a proxy is about to use.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/**
 * Time without any transfer after which a connection is closed, in milliseconds. Without this limit, a client that
 * reads no response would keep its connection open. The time is longer than the longest response time of the site.
 */
const SOCKET_TIMEOUT_MS = 5 * MINUTE_MS;

/** Time limits of connections, in milliseconds. */
export interface SiteServerTimes {
  readonly headersTimeout?: number;
  readonly requestTimeout?: number;
  readonly connectionsCheckingInterval?: number;
}

/**
 * Creates the HTTP server of the site. Connections of slow clients are closed, a request with too large headers gets
 * status 431, and a request with several hosts gets status 400.
 */
export function createSiteServer(listener: RequestListener, times: SiteServerTimes = {}): Server {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADERS_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      ...times,
    },
    refuseAmbiguousHost(listener),
  );
  server.timeout = SOCKET_TIMEOUT_MS;
  server.on('clientError', refuseUnreadable);
  return server;
}

/** Interval at which connections that have become idle are closed, in milliseconds. */
const CLOSE_IDLE_INTERVAL_MS = 100;

/**
 * Finishes the requests under way, and resolves when all connections are closed. Node closes only the connections that
 * are idle at the call, so the other connections are closed after their current response.
 */
export async function closeServer(server: Server): Promise<void> {
  const timer = setInterval(() => {
    server.closeIdleConnections();
    destroyEnding();
  }, CLOSE_IDLE_INTERVAL_MS);
  await new Promise((closed) => server.close(closed));
  clearInterval(timer);
}
