import type { Server, ServerResponse } from 'node:http';

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
