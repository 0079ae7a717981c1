import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { OPERATIONS, historyRequestSchema, operationAt, trustRequestSchema } from '@touchstone/contract';
import type { Sale, Seller } from '../index.ts';

type Body = AsyncIterable<Uint8Array> & ReadableStream<Uint8Array>;

/** What the shop does for its money; counted by who tests. */
export type Work = Sale<{ readonly resource: string }>['work'];

const operationOf = (path: string) => {
  const operation = operationAt('POST', path);
  if (!operation) throw new Error(`nothing is sold at ${path}; ${OPERATIONS.length} operations are known`);
  return operation;
};

const INPUTS = { '/v1/x402-trust': trustRequestSchema, '/v1/x402-history': historyRequestSchema } as const;
type Path = keyof typeof INPUTS;
const isPath = (path: string): path is Path => path in INPUTS;

/** Serves two operations of the contract over HTTP, by a seller. */
export const serveShop = async (seller: Seller, work: Work) => {
  const answer = (request: Request, path: string): Promise<Response> => {
    if (!isPath(path)) return Promise.resolve(new Response(null, { status: 404 }));
    return seller.sell(request, {
      operation: operationOf(path),
      input: INPUTS[path],
      resourceOf: ({ resource }) => resource,
      work,
    });
  };
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://spoofed.example');
    const headers = Object.entries(incoming.headersDistinct).map(([name, values]): [string, string] => [
      name,
      (values ?? []).join(', '),
    ]);
    const method = incoming.method ?? 'GET';
    // A stream of Node is one of the web with another type.
    const body = method === 'GET' ? null : (Readable.toWeb(incoming) as Body);
    const request = new Request(url, { method, headers, body, duplex: 'half' });
    void answer(request, url.pathname).then(async (response) => {
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(await response.text());
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
};
