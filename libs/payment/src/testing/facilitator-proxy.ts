import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a call to the facilitator is met with. */
interface Call {
  readonly path: string;
  /** What the facilitator is asked, in JSON. */
  readonly body: string;
  /** Passes the call on; resolves to the answer of the real facilitator. */
  readonly pass: () => Promise<string>;
  readonly response: ServerResponse;
}

/** Meets a call in another way than by passing it on and answering; false where it behaves. */
export type Misbehaviour = (call: Call) => Promise<boolean> | boolean;

/** A facilitator in front of the real one, which fails, lies and dawdles as it is told, on a real socket. */
export const openProxy = async (target: string) => {
  let misbehave: Misbehaviour = () => false;
  const calls: string[] = [];
  const handle = async (
    { method = 'GET', url: path = '/' }: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ) => {
    calls.push(path);
    const pass = async () => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${target}${path}`, method === 'GET' ? {} : { method, headers, body });
      return answer.text();
    };
    if (await misbehave({ path, body: body.toString('utf8'), pass, response })) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(await pass());
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      // Who is cut off passes that on.
      handle(request, Buffer.concat(parts), response).catch(() => response.destroy());
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    /** From now on; null to behave. */
    be: (next: Misbehaviour | null) => {
      misbehave = next ?? (() => false);
    },
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
};
export type Proxy = Awaited<ReturnType<typeof openProxy>>;

/** Answers with some JSON, or with what is none. */
export const answering =
  (path: string, body: string | object, status = 200): Misbehaviour =>
  (call) => {
    if (call.path !== path) return false;
    call.response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    return true;
  };

/** Cuts the connection, before or after the real facilitator has done what it was asked for. */
export const cutting =
  (path: string, when: 'before' | 'after'): Misbehaviour =>
  async (call) => {
    if (call.path !== path) return false;
    if (when === 'after') await call.pass();
    call.response.destroy();
    return true;
  };
