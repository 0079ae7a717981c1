import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { FakeChain } from './fake-chain.ts';

interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a server does instead of answering as the chain would; undefined where it behaves. Requests are counted from 1. */
export type Misbehaviour = (call: RpcCall, response: ServerResponse, request: number) => unknown;

/** What a misbehaviour returns when it has answered, or will not, by itself. */
export const HANDLED = Symbol('handled');

/** An error of JSON-RPC in place of a result. */
export class RpcError {
  readonly code: number;
  readonly message: string;

  constructor(code: number, message: string) {
    this.code = code;
    this.message = message;
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
}

interface Question extends RpcCall {
  readonly id: number;
}

/** A JSON-RPC server on a real socket, which answers for a chain and misbehaves as it is told. */
export async function serveRpc(chain: Pick<FakeChain, 'answer'>, misbehave: Misbehaviour = () => undefined) {
  const calls: RpcCall[] = [];
  let requests = 0;
  const one = (question: Question, response: ServerResponse): unknown => {
    calls.push(question);
    const instead = misbehave(question, response, requests);
    if (instead === HANDLED) return HANDLED;
    if (instead instanceof RpcError)
      return { jsonrpc: '2.0', id: question.id, error: { code: instead.code, message: instead.message } };
    const result = instead === undefined ? chain.answer(question.method, question.params) : instead;
    return { jsonrpc: '2.0', id: question.id, result };
  };
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      requests += 1;
      const answers: unknown[] = [];
      for (const question of [body].flat()) {
        // The body is what the reader under test sends.
        const answer = one(question as Question, response);
        if (answer === HANDLED) return;
        answers.push(answer);
      }
      // Answers of a batch may come in any order.
      response.end(JSON.stringify(Array.isArray(body) ? answers.reverse() : answers[0]));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port was given');
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
