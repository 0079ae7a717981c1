import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import {
  createBulkInputSchema,
  findOperation,
  type BulkSize,
  historyInputSchema,
  semanticSearchInputSchema,
  similarInputSchema,
  trustInputSchema,
  watchCreateInputSchema,
  watchRenewInputSchema,
} from '@touchstone/contract';
import { z } from 'zod';
import type { PaidOperation, Seller } from '../index.ts';

type Body = AsyncIterable<Uint8Array> & ReadableStream<Uint8Array>;

export const CLIENT_HEADER = 'x-test-client';

export type Work = PaidOperation<{ readonly resource: string }>['work'];

function requireOperation(path: string) {
  const operation = findOperation('POST', path);
  if (!operation) throw new Error(`the contract has no operation at ${path}`);
  return operation;
}

const ITEM_ID = {
  name: 'id',
  in: 'path' as const,
  required: true,
  description: 'Id of the item.',
  schema: z.string(),
  example: 'abc',
};

/** Operation without a body and with a path parameter, like the renewal of a watch. */
const RENEWAL = {
  ...requireOperation('/v1/x402-trust'),
  path: '/v1/items/{id}/renew',
  parameters: [ITEM_ID],
  requestBody: null,
};
const renewalInputSchema = z
  .object({ params: z.object({ id: z.string().regex(/^[a-z]{1,9}$/, { error: 'must be 1 to 9 letters' }) }) })
  .transform(({ params }) => ({ resource: params.id }));

/** Creates the input schema of a bulk operation. The test service uses only the first of the URLs. */
const createBulkInput = (size: BulkSize) =>
  createBulkInputSchema(size).transform(({ resources }) => ({ resource: resources[0] ?? '' }));

const INPUTS = {
  '/v1/x402-trust': trustInputSchema,
  '/v1/x402-history': historyInputSchema,
  '/v1/semantic-search': semanticSearchInputSchema.transform(({ query }) => ({ resource: query })),
  '/v1/similar': similarInputSchema,
  '/v1/x402-trust-bulk-10': createBulkInput(10),
  '/v1/x402-trust-bulk-50': createBulkInput(50),
  '/v1/x402-trust-bulk-100': createBulkInput(100),
  '/v1/x402-trust-bulk-200': createBulkInput(200),
  '/v1/x402-trust-bulk-500': createBulkInput(500),
  '/v1/watch-endpoint-30d': watchCreateInputSchema.transform(({ endpoint }) => ({ resource: endpoint })),
  '/v1/watch/{id}/renew': watchRenewInputSchema.transform(({ id }) => ({ resource: id })),
} as const;
/** Input of operations that no test buys. The tests only request their challenges. */
const ANY_INPUT = z.unknown().transform((): { readonly resource: string } => ({ resource: '' }));
type Path = keyof typeof INPUTS;
const isPath = (path: string): path is Path => path in INPUTS;

function findPaidOperation(path: string) {
  const operation = findOperation('POST', path);
  if (operation !== null && operation.priceUsd !== null)
    return { operation, input: isPath(operation.path) ? INPUTS[operation.path] : ANY_INPUT };
  const isRenewal = /^\/v1\/items\/[^/]+\/renew$/.test(path);
  return isRenewal ? { operation: RENEWAL, input: renewalInputSchema } : null;
}

/** Settings of the work and its stored results. */
export type ResultSettings = Pick<
  PaidOperation<never>,
  'cipher' | 'publicReplaySeconds' | 'isRecordedLater' | 'onlyReads'
>;

/** Serves the paid operations of the contract, and a renewal of items, over HTTP. */
export async function serveSeller(seller: Seller, work: Work, settings: ResultSettings = {}) {
  const respond = (request: Request, path: string): Promise<Response> => {
    const found = findPaidOperation(path);
    if (found === null) return Promise.resolve(new Response(null, { status: 404 }));
    const toResource = ({ resource }: { readonly resource: string }) => resource;
    const client = request.headers.get(CLIENT_HEADER) ?? '';
    return seller.respond(request, { ...found, ...settings, toResource, work }, { client });
  };
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://spoofed.example');
    const headers = Object.entries(incoming.headersDistinct).map(([name, values]): [string, string] => [
      name,
      (values ?? []).join(', '),
    ]);
    const method = incoming.method ?? 'GET';
    // The cast is needed because Node's type of a web stream differs from the global type.
    const body = method === 'GET' ? null : (Readable.toWeb(incoming) as Body);
    const request = new Request(url, { method, headers, body, duplex: 'half' });
    void respond(request, url.pathname).then(async (response) => {
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
}
