import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createChallengeBytes, formatHead, isStalled } from './response-bytes.ts';
import type { Seller } from './seller.ts';

/** Seller at a URL of its own, for one client. */
export interface OpenSeller {
  readonly url: string;
  /** Values of the payment headers that arrived with requests for the challenge, in order of arrival. */
  readonly payments: string[];
}

interface ServedSeller extends OpenSeller {
  readonly seller: Seller;
  readonly challenge: Buffer;
  /** True after a response that never ends. Clients would wait for minutes, so later payments do not count. */
  isExpired: boolean;
}

interface Request {
  readonly method: string;
  /** Number of the seller in the path. */
  readonly id: number;
  /** Number of redirects before the requested URL. */
  readonly hop: number;
  readonly payment: string | undefined;
}

/**
 * Time until the server closes the connection of a response that never ends, in milliseconds. A probe of such a seller
 * must end earlier.
 */
export const STALL_MS = 250;

/** Servers of generated sellers: two origins on this machine. */
export interface SellerServers {
  open(seller: Seller): OpenSeller;
  close(): Promise<void>;
}

/** Parses the head of a request. Returns null until the request is complete. */
function parseRequest(text: string): Request | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = text.slice(0, end);
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  if (text.length < end + 4 + length) return null;
  const [, method = '', id, hop] = /^(\w+) \/(\d+)\/(\d+)/.exec(head) ?? [];
  const payment = /\r\n(?:payment-signature|x-payment): *([^\r]*)/i.exec(head)?.[1];
  return { method, id: Number(id), hop: Number(hop), payment };
}

/** Possible targets of a redirect, as URLs. */
interface Targets {
  readonly next: string;
  /** Path of `next`. */
  readonly path: string;
  /** URL of `path` at the other origin. */
  readonly other: string;
  /** First URL of the seller. */
  readonly first: string;
}

/** Values of the `Location` header; null for a redirect without this header. */
export const LOCATIONS = {
  absolute: ({ next }) => next,
  relative: ({ path }) => path,
  origin: ({ other }) => other,
  loop: ({ first }) => first,
  missing: () => null,
  ftp: ({ next }) => next.replace('http', 'ftp'),
  unparsable: () => 'http://[',
  fragment: ({ path }) => `${path}#part`,
  user: ({ next }) => next.replace('http://', 'http://user:secret@'),
} satisfies Readonly<Record<string, (targets: Targets) => string | null>>;
export type Location = keyof typeof LOCATIONS;

const OK = `${formatHead(200, ['content-length: 2'])}{}`;

/** Returns the response to a request, and records its payment. The first of `origins` is that of the request. */
function respond(served: ServedSeller, request: Request, origins: readonly string[]): string | Buffer {
  const { seller, challenge, payments } = served;
  const hop = seller.hops?.[request.hop];
  if (hop !== undefined) {
    const path = `/${request.id}/${request.hop + 1}`;
    const [next = '', other = ''] = origins.map((origin) => origin + path);
    const location = LOCATIONS[hop.to]({ next, path, other, first: served.url });
    const fields = location === null ? [] : [`location: ${location}`];
    return formatHead(hop.status, [...fields, 'content-length: 0']);
  }
  const refusal = request.method === 'GET' ? seller.get : seller.post;
  if (refusal !== undefined) return formatHead(refusal, ['content-length: 0']);
  if (request.payment === undefined) return challenge;
  if (!served.isExpired) payments.push(request.payment);
  return OK;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  // The cast is safe, because the server listens on a TCP port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts two servers on free ports. The servers send each response over a connection of its own. */
export async function startSellerServers(): Promise<SellerServers> {
  const sellers: ServedSeller[] = [];
  const sockets = new Set<Socket>();
  const origins: string[] = [];
  const serve = (socket: Socket): void => {
    let received = '';
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      received += data.toString('latin1');
      const request = parseRequest(received);
      const served = request === null ? undefined : sellers[request.id];
      if (request === null || served === undefined) return;
      received = '';
      const isFirst = origins[0]?.endsWith(`:${String(socket.localPort)}`) === true;
      const response = respond(served, request, isFirst ? origins : origins.toReversed());
      if (response !== served.challenge || !isStalled(served.seller)) return void socket.end(response);
      socket.write(response);
      const timer = setTimeout(() => {
        served.isExpired = true;
        socket.destroy();
      }, STALL_MS);
      socket.once('close', () => clearTimeout(timer));
    });
  };
  const servers = [createServer(serve), createServer(serve)];
  for (const server of servers) origins.push(await listen(server));
  return {
    open(seller) {
      const origin = origins[0]?.replace('127.0.0.1', seller.host ?? '127.0.0.1') ?? '';
      const url = `${origin}/${sellers.length}/0`;
      const served = { url, payments: [], isExpired: false, seller, challenge: createChallengeBytes(seller) };
      sellers.push(served);
      return served;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
    },
  };
}
