import { type RequestListener, type Server, type ServerResponse, createServer } from 'node:http';
import { MAX_HEADERS_BYTES } from '@touchstone/contract';

/** Maximum time for the headers of a request, in milliseconds. Node then responds with status 408. */
const HEADERS_TIMEOUT_MS = 15_000;

/**
 * Maximum time for a whole request with its body, in milliseconds. Bodies have at most 64 KiB, those of Inngest 4 MiB.
 */
const REQUEST_TIMEOUT_MS = 60_000;

/** Interval at which Node looks for requests that exceed these times, in milliseconds. */
const CHECK_INTERVAL_MS = 5_000;

/**
 * Time after which an idle connection is closed, in milliseconds. It is longer than the 60 seconds of common proxies.
 * With a shorter time, the site would close connections that a proxy is about to use.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/**
 * Time without any transfer after which a connection is closed, in milliseconds, for clients that read no response. It
 * is longer than the longest response time of the site.
 */
const SOCKET_TIMEOUT_MS = 5 * 60_000;

/** Time limits of connections, in milliseconds. */
export interface SiteServerTimes {
  readonly headersTimeout?: number;
  readonly requestTimeout?: number;
  readonly connectionsCheckingInterval?: number;
}

/**
 * Creates the HTTP server of the site. Slow clients cannot hold connections for ever, and a request with too large
 * headers gets status 431.
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
    listener,
  );
  server.timeout = SOCKET_TIMEOUT_MS;
  return server;
}

/** Interval at which connections that have become idle are closed, in milliseconds. */
const CLOSE_IDLE_INTERVAL_MS = 100;

/**
 * Prepares the graceful close of a server, before it gets requests.
 *
 * @returns a function that finishes the requests under way, and resolves when all connections are closed. Keep-alive
 * connections are closed after their current response.
 */
export function prepareClose(server: Server): () => Promise<void> {
  let isClosing = false;
  const pending = new Set<ServerResponse>();
  server.prependListener('request', (_, response) => {
    if (isClosing) announceClose(response);
    pending.add(response);
    response.once('close', () => pending.delete(response));
  });
  return async () => {
    isClosing = true;
    for (const response of pending) announceClose(response);
    // A response whose headers were sent earlier leaves its connection open.
    const timer = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS);
    await new Promise((closed) => server.close(closed));
    clearInterval(timer);
  };
}

/** Tells the client that it must open another connection for its next request. */
function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
