import type { IncomingMessage } from 'node:http';

type Raw = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
};

/**
 * Makes of a request what the site can read, before it sees it. As a proxy in front of it would, it writes down who
 * asks behind whatever the client wrote, so that nobody chooses his own address. A method that no `Request` can have
 * (Fetch, section 2.2.1) gets a name that the site refuses as it does any made-up one, and a target in absolute form
 * or of the server as a whole (RFC 9112, section 3.2) becomes a path.
 */
export function prepareRequest(request: Raw): void {
  const { headers, socket } = request;
  const written = headers['x-forwarded-for'];
  const hops = [written, socket.remoteAddress ?? 'unknown'].flat().filter((hop) => hop !== undefined);
  headers['x-forwarded-for'] = hops.join(', ');
  if (request.method === 'TRACE') request.method = 'UNKNOWN';
  if (request.url?.startsWith('/') === false) request.url = pathOf(request.url);
}

function pathOf(target: string): string {
  const url = URL.parse(target);
  return url === null ? `/${encodeURIComponent(target)}` : `${url.pathname}${url.search}`;
}
