import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { FakeChain } from './fake-chain.ts';

interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * A fault of a test server. Returns a replacement for the correct result, or undefined to keep the correct result.
 * Requests are numbered from 1.
 */
export type Misbehaviour = (call: RpcCall, response: ServerResponse, request: number) => unknown;

/** Return value of a `Misbehaviour` that sends the HTTP response directly or leaves the request unanswered. */
export const HANDLED = Symbol('handled');

/** A JSON-RPC error that a `Misbehaviour` returns instead of a result. */
export class RpcError {
  readonly code: number;
  readonly message: string;

  constructor(code: number, message: string) {
    this.code = code;
    this.message = message;
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
}

interface RpcRequest extends RpcCall {
  readonly id: number;
}

/** Starts a JSON-RPC server that serves a chain on a real socket. `misbehave` can replace its responses. */
export async function serveRpc(chain: Pick<FakeChain, 'respond'>, misbehave: Misbehaviour = () => undefined) {
  const calls: RpcCall[] = [];
  let requests = 0;
  const respondToCall = (rpcRequest: RpcRequest, response: ServerResponse): unknown => {
    calls.push(rpcRequest);
    const replacement = misbehave(rpcRequest, response, requests);
    if (replacement === HANDLED) return HANDLED;
    if (replacement instanceof RpcError)
      return {
        jsonrpc: '2.0',
        id: rpcRequest.id,
        error: { code: replacement.code, message: replacement.message },
      };
    const result =
      replacement === undefined ? chain.respond(rpcRequest.method, rpcRequest.params) : replacement;
    return { jsonrpc: '2.0', id: rpcRequest.id, result };
  };
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      requests += 1;
      const responses: unknown[] = [];
      for (const rpcRequest of [body].flat()) {
        // The cast is safe because the reader under test sends requests in this format.
        const result = respondToCall(rpcRequest as RpcRequest, response);
        if (result === HANDLED) return;
        responses.push(result);
      }
      // JSON-RPC allows any order of the responses in a batch, so the order is reversed here.
      response.end(JSON.stringify(Array.isArray(body) ? responses.reverse() : responses[0]));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}/v2/SECRET-KEY`,
    calls,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(done);
      }),
  };
}
export type RpcServer = Awaited<ReturnType<typeof serveRpc>>;
