import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface NameServer {
  /** Address of the name server as `address:port`. */
  readonly server: string;
  /** Received queries, each as `A <name>` or `AAAA <name>`. */
  readonly queries: readonly string[];
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Response to a query: addresses as bytes, or a response code (RFC 1035, section 4.1.1). Null sends no response. */
export type Reply =
  | { readonly addresses: readonly (readonly number[])[]; readonly afterMs?: number }
  | number
  | null;

function readQuestion(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size));
    at += size + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function createResponse(query: Buffer, reply: Exclude<Reply, null>): Buffer {
  const { type, end } = readQuestion(query);
  const addresses = typeof reply === 'number' ? [] : reply.addresses;
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (typeof reply === 'number' ? reply : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((bytes) =>
    // Fields of the record: name (a pointer to the question), type, class, time to live, length, address.
    Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
  );
  return Buffer.concat([header, query.subarray(12, end), ...records]);
}

/** Starts a DNS server on a free UDP port of this machine. `answer` returns the response to each query. */
export async function serveDns(answer: (kind: 'A' | 'AAAA', name: string) => Reply): Promise<NameServer> {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type } = readQuestion(query);
    const kind = type === 28 ? 'AAAA' : 'A';
    queries.push(`${kind} ${name}`);
    const reply = answer(kind, name);
    if (reply === null) return;
    const send = (): void => socket.send(createResponse(query, reply), port, address);
    const delayMs = typeof reply === 'number' ? 0 : (reply.afterMs ?? 0);
    if (delayMs === 0) send();
    else setTimeout(send, delayMs);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    server: `127.0.0.1:${socket.address().port}`,
    queries,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}
