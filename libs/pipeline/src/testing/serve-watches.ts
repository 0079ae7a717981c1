import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createProblem,
  findOperation,
  watchCreateInputSchema,
  watchRenewInputSchema,
} from '@touchstone/contract';
import type { Seller, WorkResult } from '@touchstone/payment';
import { createWatch } from '../watches/create-watch.ts';
import { renewWatch } from '../watches/renew-watch.ts';
import type { WatchContext, WatchResult } from '../watches/watch-context.ts';

const CREATE = '/v1/watch-endpoint-30d';
const RENEW = '/v1/watch/{id}/renew';

function requireOperation(path: string) {
  const operation = findOperation('POST', path);
  if (!operation) throw new Error(`the contract has no operation at ${path}`);
  return operation;
}

function toWorkResult(result: WatchResult<unknown>): WorkResult {
  if (result.kind === 'result') return { body: result.body };
  const { code, detail, errors, retryAfterSeconds } = result;
  const problem = createProblem(code, detail, errors === undefined ? {} : { errors: [...errors] });
  return retryAfterSeconds === undefined ? { problem } : { problem, retryAfterSeconds };
}

/** Serves the paid operations on watches over HTTP, as the routes of the site do. */
export async function serveWatches(seller: Seller, context: WatchContext) {
  const respond = (request: Request, path: string): Promise<Response> => {
    const { cipher } = context;
    if (path === CREATE) {
      return seller.respond(request, {
        operation: requireOperation(CREATE),
        input: watchCreateInputSchema,
        toResource: ({ endpoint }) => endpoint,
        work: async (input, buyer) => toWorkResult(await createWatch(context, input, buyer)),
        cipher,
        publicReplaySeconds: 60,
      });
    }
    return seller.respond(request, {
      operation: requireOperation(RENEW),
      input: watchRenewInputSchema,
      toResource: ({ id }) => id,
      work: async (input, buyer) => toWorkResult(await renewWatch(context, input, buyer)),
    });
  };
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://spoofed.example');
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const headers = Object.entries(incoming.headersDistinct).map(([name, values]): [string, string] => [
        name,
        (values ?? []).join(', '),
      ]);
      const body = chunks.length === 0 ? null : Buffer.concat(chunks);
      void respond(new Request(url, { method: 'POST', headers, body }), url.pathname).then(
        async (response) => {
          outgoing.writeHead(response.status, Object.fromEntries(response.headers));
          outgoing.end(await response.text());
        },
      );
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    createUrl: `${url}${CREATE}`,
    toRenewUrl: (id: string) => `${url}${RENEW.replace('{id}', id)}`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}
