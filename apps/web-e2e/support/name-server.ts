import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TYPE_A = 1;
const NO_SUCH_NAME = 3;

export interface NameServer {
  /** Address of the name server as `address:port`, the format of NAME_SERVERS. */
  readonly server: string;
  /** Host names in the received queries. */
  readonly requestedNames: ReadonlySet<string>;
  close(): Promise<void>;
}

/**
 * Starts a name server that resolves the given host names and responds to all other queries with NXDOMAIN.
 *
 * @param known IPv4 addresses by host name.
 */
export async function serveNames(known: ReadonlyMap<string, string>): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked = new Set<string>();
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    asked.add(name);
    const found = known.get(name);
    const records = found !== undefined && type === TYPE_A ? [createAddressRecord(found)] : [];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    // DNS flags of a response with recursion, combined with the response code (RFC 1035, section 4.1.1).
    header.writeUInt16BE(0x8180 | (found === undefined ? NO_SUCH_NAME : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    server: `127.0.0.1:${socket.address().port}`,
    requestedNames: asked,
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readQuestion(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size));
    at += size + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Creates a DNS address record: name (a pointer to the question), type, class, TTL in seconds, length and address. */
function createAddressRecord(address: string): Buffer {
  const bytes = address.split('.').map(Number);
  return Buffer.from([0xc0, 0x0c, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]);
}
