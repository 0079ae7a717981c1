import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Inngest } from 'inngest';
import { serve } from 'inngest/node';
import type { PipelineContext } from '../context.ts';
import { inngestApplication } from '../inngest.ts';
import { startInngestServer, type InngestServer } from './inngest-server.ts';
import { sign } from './inngest-signing.ts';

const SIGNING_KEY = `signkey-test-${'5a'.repeat(32)}`;

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** The header of a signed request. */
export function signature(body: object | string, key = SIGNING_KEY, seconds = nowSeconds()) {
  return { 'x-inngest-signature': sign(body, key, seconds) };
}

export interface Application {
  /** Where the functions are served. */
  readonly url: string;
  /** The server that the application belongs to. */
  readonly inngest: InngestServer;
  /** Sends a request as Inngest does, but for the headers; a POST calls the sweep. */
  send(
    method: 'GET' | 'POST' | 'PUT',
    body: object | null,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** Registers the functions with the server; returns the status. */
  register(): Promise<number>;
  close(): Promise<void>;
}

/** The jobs as Inngest functions over real HTTP, as in production: signed or not at all. */
export async function startApplication(context: () => PipelineContext): Promise<Application> {
  let url = '';
  const inngest = await startInngestServer({ signingKey: SIGNING_KEY, application: () => url });
  const silent = (): void => undefined;
  const client = new Inngest({
    id: 'touchstone',
    isDev: false,
    signingKey: SIGNING_KEY,
    eventKey: 'events',
    baseUrl: inngest.url,
    logger: { info: silent, warn: silent, error: silent, debug: silent },
  });
  const server = createServer(serve(inngestApplication(client, context, { batchesAtOnce: 16 })));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/inngest`;
  const send: Application['send'] = (method, body, headers = {}) =>
    fetch(method === 'POST' ? `${url}?fnId=touchstone-sweep&stepId=step` : url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
  return {
    url,
    inngest,
    send,
    register: async () => (await send('PUT', { url }, signature({ url }))).status,
    close: async () => {
      await new Promise((done) => server.close(done));
      await inngest.close();
    },
  };
}
