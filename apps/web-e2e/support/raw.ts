import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Sends bytes as they are, from an address of this machine: a client library would not send these. */
export async function sendRaw(
  request: string | Buffer,
  { localAddress = '127.0.0.1' }: { readonly localAddress?: string } = {},
): Promise<RawAnswer> {
  const { port } = new URL(process.env['TOUCHSTONE_URL'] ?? '');
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  socket.write(request);
  const answer = await text(socket);
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = new Headers(
    fields.map((field) => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1).trim()]),
  );
  const chunked = headers.get('transfer-encoding') === 'chunked';
  const body = rest.join('\r\n\r\n');
  return { status: Number(line.split(' ')[1]), headers, body: chunked ? withoutChunks(body) : body };
}

/** The body of an answer in chunks; each is its length in hexadecimal, a line break and that many bytes. */
function withoutChunks(body: string): string {
  const [, length = '0'] = /^([0-9a-f]+)\r\n/i.exec(body) ?? [];
  const size = Number.parseInt(length, 16);
  if (size === 0) return '';
  const start = length.length + 2;
  const bytes = Buffer.from(body, 'utf8');
  return `${bytes.subarray(start, start + size).toString('utf8')}${withoutChunks(bytes.subarray(start + size + 2).toString('utf8'))}`;
}

/** A request without a body, which is the last on its connection. */
export const requestOf = (method: string, target: string, headers: readonly string[] = []): string =>
  [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');
