import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Inngest } from 'inngest';
import { serve } from 'inngest/node';
import type { OpenContext } from '../../inngest/function-options.ts';
import { createInngestApplication } from '../../inngest/inngest-application.ts';
import { startInngestServer, type InngestServer } from './inngest-server.ts';
import { sign } from './inngest-signing.ts';

const SIGNING_KEY = `signkey-test-${'5a'.repeat(32)}`;

export function getNowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Returns the signature header of a request. */
export function createSignature(body: object | string, key = SIGNING_KEY, seconds = getNowSeconds()) {
  return { 'x-inngest-signature': sign(body, key, seconds) };
}

export interface Application {
  /** URL at which the Inngest functions are served. */
  readonly url: string;
  /** Simulated Inngest server. The application registers its functions with this server. */
  readonly inngest: InngestServer;
  /** Sends a request to the functions, as Inngest does. A POST calls the function of the job `probe`. */
  send(
    method: 'GET' | 'POST' | 'PUT',
    body: object | null,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** Registers the functions with the simulated server. Returns the HTTP status. */
  register(): Promise<number>;
  /** Messages that the functions logged as errors. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

/** Serves the Inngest functions of the jobs over HTTP, with required signatures as in production. */
export async function startApplication(openContext: OpenContext): Promise<Application> {
  let url = '';
  const errors: string[] = [];
  const inngest = await startInngestServer({ signingKey: SIGNING_KEY, application: () => url });
  const noop = (): void => undefined;
  const client = new Inngest({
    id: 'touchstone',
    isDev: false,
    signingKey: SIGNING_KEY,
    eventKey: 'events',
    baseUrl: inngest.url,
    logger: {
      info: noop,
      warn: noop,
      error: (message: unknown) => void errors.push(String(message)),
      debug: noop,
    },
  });
  const server = createServer(
    serve(createInngestApplication(client, openContext, { maxConcurrentBatches: 16 })),
  );
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/inngest`;
  const send: Application['send'] = (method, body, headers = {}) =>
    fetch(method === 'POST' ? `${url}?fnId=touchstone-probe&stepId=step` : url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
  return {
    url,
    inngest,
    errors,
    send,
    register: async () => (await send('PUT', { url }, createSignature({ url }))).status,
    close: async () => {
      await new Promise((done) => server.close(done));
      await inngest.close();
    },
  };
}
