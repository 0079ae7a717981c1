import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface NameServer {
  /** Address of the name server as `address:port`. */
  readonly server: string;
  /** Received queries, such as `A <name>` or `AAAA <name>`. */
  readonly queries: readonly string[];
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

type Kind = keyof typeof TYPES;
const TYPES = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;

/**
 * Response to a query: the name of which the queried name is an alias, addresses as bytes or texts as their chunks; or a
 * response code (RFC 1035, section 4.1.1). Null sends no response.
 */
export type Reply =
  | {
      readonly alias?: string;
      readonly addresses?: readonly (readonly number[])[];
      readonly texts?: readonly (readonly string[])[];
      readonly afterMs?: number;
    }
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

function toName(name: string): Buffer {
  return Buffer.concat([...name.split('.').map(toText), Buffer.alloc(1)]);
}

function toText(text: string): Buffer {
  return Buffer.from([text.length, ...Buffer.from(text)]);
}

/** Fields of a record: name, type, class, time to live, length, data. */
function toRecord(owner: Buffer, type: number, data: Uint8Array): Buffer {
  return Buffer.concat([owner, Buffer.from([0, type, 0, 1, 0, 0, 0, 60, 0, data.length]), data]);
}

function createRecords(reply: Exclude<Reply, number | null>, type: number): readonly Buffer[] {
  const { alias, addresses = [], texts = [] } = reply;
  // A pointer to the name in the question.
  const queried = Buffer.from([0xc0, 0x0c]);
  const owner = alias === undefined ? queried : toName(alias);
  return [
    ...(alias === undefined ? [] : [toRecord(queried, TYPES.CNAME, toName(alias))]),
    ...addresses.map((bytes) => toRecord(owner, type, Buffer.from(bytes))),
    ...texts.map((chunks) => toRecord(owner, type, Buffer.concat(chunks.map(toText)))),
  ];
}

function createResponse(query: Buffer, reply: Exclude<Reply, null>): Buffer {
  const { type, end } = readQuestion(query);
  const records = typeof reply === 'number' ? [] : createRecords(reply, type);
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (typeof reply === 'number' ? reply : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(12, end), ...records]);
}

/** Starts a DNS server on a free UDP port of this machine. `answer` returns the response to each query. */
export async function serveDns(answer: (kind: Kind, name: string) => Reply): Promise<NameServer> {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type } = readQuestion(query);
    const kind = (Object.keys(TYPES) as Kind[]).find((known) => TYPES[known] === type) ?? 'A';
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
