import { randomUUID } from 'node:crypto';

/** Id that a client or a proxy may choose. Other ids are replaced, because the log contains the id. */
const PLAIN_ID = /^[\w.-]{1,64}$/;

const ids = new WeakMap<Request, string>();

/**
 * Returns the id of a request, which its response and its log lines contain: the value of `X-Request-Id` if it is plain,
 * otherwise a new id. Each call for the same request returns the same id.
 */
export function getRequestId(request: Request): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const received = request.headers.get('x-request-id') ?? '';
  const id = PLAIN_ID.test(received) ? received : randomUUID();
  ids.set(request, id);
  return id;
}
