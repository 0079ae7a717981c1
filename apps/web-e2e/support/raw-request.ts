import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/**
 * Sends the bytes of a request over a TCP connection, because HTTP client libraries refuse to send malformed requests.
 */
export async function sendRaw(
  request: string | Buffer,
  { localAddress = '127.0.0.1' }: { readonly localAddress?: string } = {},
): Promise<RawResponse> {
  const { port } = new URL(process.env['TOUCHSTONE_URL'] ?? '');
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  socket.write(request);
  const response = await text(socket);
  const [head = '', ...rest] = response.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = new Headers(
    fields.map((field) => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1).trim()]),
  );
  const chunked = headers.get('transfer-encoding') === 'chunked';
  const body = rest.join('\r\n\r\n');
  return { status: Number(line.split(' ')[1]), headers, body: chunked ? decodeChunks(body) : body };
}

/**
 * Decodes a chunked body: each chunk is a hexadecimal length, a line break and that many bytes (RFC 9112, section 7.1).
 */
function decodeChunks(body: string): string {
  const [, length = '0'] = /^([0-9a-f]+)\r\n/i.exec(body) ?? [];
  const size = Number.parseInt(length, 16);
  if (size === 0) return '';
  const start = length.length + 2;
  const bytes = Buffer.from(body, 'utf8');
  return `${bytes.subarray(start, start + size).toString('utf8')}${decodeChunks(bytes.subarray(start + size + 2).toString('utf8'))}`;
}

/** Formats a request without a body and with `Connection: close`. */
export const formatRequest = (method: string, target: string, headers: readonly string[] = []): string =>
  [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');
