import { ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_HEADERS_BYTES } from '@touchstone/contract';

const HEADERS_LIMIT = `${String(MAX_HEADERS_BYTES / 1024)} KiB`;

/** Responses to requests that Node cannot read, by the code of the error. Other errors get `MALFORMED`. */
const REFUSALS: Readonly<Record<string, readonly [status: number, text: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time. Send the whole request again.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    'The chunk extensions of the request body are too large. Send the body without chunk extensions.',
  ],
  HPE_HEADER_OVERFLOW: [
    431,
    `The request headers are larger than ${HEADERS_LIMIT}. Send at most ${HEADERS_LIMIT} of headers.`,
  ],
};

const MALFORMED = [400, 'The request is not valid HTTP/1.1. Correct its headers or its body.'] as const;

/**
 * Maximum time until the client closes the connection after its last response, in milliseconds. The time is shorter than
 * the maximum time for headers. A refused client thus holds a connection no longer than other clients.
 */
const CLOSE_TIMEOUT_MS = 5_000;

/** Connections after their last response, until the client closes them. */
const ending = new Set<Duplex>();

/**
 * Listener of the server event `clientError`. The listener responds to a request that Node cannot read, and discards the
 * rest of the request until the client closes the connection (RFC 9112, section 9.6). If the server closed the connection
 * first, the operating system would reset it, and the client would often lose the response. If the unreadable bytes
 * follow a complete request, for example a paid request with a wrong `Content-Length`, its response is the last one.
 */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The last response of this connection is already written. Node reports each further error of the connection.
  if (socket.writableEnded) return;
  const response = getResponse(socket);
  if (socket.writable && response?.req.complete === true) {
    discardRest(socket);
    response.shouldKeepAlive = false;
    // After its last response, Node calls this method, which would reset the connection while bytes still arrive.
    Reflect.set(socket, 'destroySoon', () => end(socket));
    // Node does not call the method if the sent headers let the client keep the connection open.
    if (response.headersSent) response.once('finish', () => end(socket));
  } else if (!socket.writable || response?.headersSent === true) {
    socket.destroy(error);
  } else {
    discardRest(socket);
    end(socket, formatRefusal(error.code ?? ''));
  }
}

/** Destroys the connections whose last response is written. The server calls this function when it closes. */
export function destroyEnding(): void {
  for (const socket of ending) socket.destroy();
}

/** Returns the current response of a connection. Node has no public property for it, and itself reads this property. */
function getResponse(socket: Duplex): ServerResponse | undefined {
  const response: unknown = Reflect.get(socket, '_httpMessage');
  return response instanceof ServerResponse ? response : undefined;
}

function discardRest(socket: Duplex): void {
  // Without this removal, Node would continue to parse, and a late request would be processed after the last response.
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
}

function end(socket: Duplex, text?: string): void {
  if (socket.destroyed) return;
  socket.end(text);
  ending.add(socket);
  const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
  socket.once('close', () => {
    clearTimeout(timer);
    ending.delete(socket);
  });
}

function formatRefusal(code: string): string {
  const [status, text] = REFUSALS[code] ?? MALFORMED;
  return [
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
    'Access-Control-Allow-Origin: *',
    'Connection: close',
    `Content-Length: ${String(text.length + 1)}`,
    'Content-Type: text/plain; charset=utf-8',
    `Date: ${new Date().toUTCString()}`,
    '',
    `${text}\n`,
  ].join('\r\n');
}
