import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { getProcessValue } from './process-value.ts';

/**
 * Pattern of request ids that clients and proxies may choose. Other ids are replaced, because the id is written to the
 * log.
 */
const PLAIN_ID = /^[\w.-]{1,64}$/;

/** Id of the request that is being handled. The web server and the routes share this storage. */
const currentId = getProcessValue('request-id', () => new AsyncLocalStorage<string>());

/**
 * Passes the id of a request to the function that handles the request. The id is the received value of `X-Request-Id`
 * if this value matches `PLAIN_ID`, otherwise a new id. If a request causes another request, for example by an MCP tool
 * call, both requests have the same id.
 */
export function withRequestId<T>(received: string, handle: (id: string) => T): T {
  const id = currentId.getStore() ?? (PLAIN_ID.test(received) ? received : randomUUID());
  return currentId.run(id, handle, id);
}

/**
 * Writes one line to the log: the given members, the message of the error as `cause`, and the id of the request that is
 * being handled as `requestId`. Outside of `withRequestId`, the line has no id.
 */
export function logError(members: Readonly<Record<string, string>>, error: unknown): void {
  const cause = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${JSON.stringify({ ...members, cause, requestId: currentId.getStore() })}\n`);
}
