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

/** Limits for the rest of a refused request. */
export interface RestLimits {
  /** Maximum time until the client closes the connection, in milliseconds. */
  readonly maxMs: number;
  readonly maxBytes: number;
}

/** The time is shorter than the maximum time for headers. A refused client thus holds a connection no longer. */
const REST_LIMITS: RestLimits = { maxMs: 5_000, maxBytes: 4 * 1024 * 1024 };

/**
 * Creates the listener of the server event `clientError`. The listener responds to a request that Node cannot read, and
 * discards the rest of the request until the client closes the connection (RFC 9112, section 9.6). If the server closed
 * the connection first, the operating system would reset it, and the client would often lose the response.
 */
export function createUnreadableRefusal(limits: RestLimits = REST_LIMITS) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    // The last response of this connection is already written. Node reports each further error of the connection.
    if (socket.writableEnded) return;
    if (!socket.writable || hasBegunResponse(socket)) {
      socket.destroy(error);
      return;
    }
    socket.end(formatRefusal(error.code ?? ''));
    discardRest(socket, limits);
  };
}

/** Returns true if a part of a response was sent, so that no other response can follow. */
function hasBegunResponse(socket: Duplex): boolean {
  // Node has no public property for the current response. Its own response to errors reads this property, too.
  const response: unknown = Reflect.get(socket, '_httpMessage');
  return response instanceof ServerResponse && response.headersSent;
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

function discardRest(socket: Duplex, { maxMs, maxBytes }: RestLimits): void {
  const timer = setTimeout(() => socket.destroy(), maxMs);
  socket.once('close', () => clearTimeout(timer));
  let bytes = 0;
  // Without this removal, Node would continue to parse, and a late request would be processed after the refusal.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) socket.destroy();
  });
}
