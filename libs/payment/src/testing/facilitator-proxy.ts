import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call to the facilitator. */
interface Call {
  readonly path: string;
  readonly body: string;
  /** Forwards the call; resolves to the response of the real facilitator. */
  readonly forward: () => Promise<string>;
  readonly response: ServerResponse;
}

/**
 * Function that may handle a call in place of the real facilitator.
 * @returns false to forward the call
 */
export type Fault = (call: Call) => Promise<boolean> | boolean;

/** Starts an HTTP proxy of the facilitator that injects faults on demand. */
export async function openProxy(target: string) {
  let handleFault: Fault = () => false;
  const calls: string[] = [];
  const handle = async (
    { method = 'GET', url: path = '/' }: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ) => {
    calls.push(path);
    const forward = async () => {
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(`${target}${path}`, method === 'GET' ? {} : { method, headers, body });
      return reply.text();
    };
    if (await handleFault({ path, body: body.toString('utf8'), forward, response })) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(await forward());
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      // If forwarding fails, the connection to the client is closed, too.
      handle(request, Buffer.concat(parts), response).catch(() => response.destroy());
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    /** Sets the fault for the following calls; null removes the fault. */
    setFault: (next: Fault | null) => {
      handleFault = next ?? (() => false);
    },
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}
export type Proxy = Awaited<ReturnType<typeof openProxy>>;

/** Creates a fault that responds to calls of a path with JSON, or with a text that is not JSON. */
export function respondWith(path: string, body: string | object, status = 200): Fault {
  return (call) => {
    if (call.path !== path) return false;
    call.response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    return true;
  };
}

/** Creates a fault that closes the connection before or after the real facilitator has processed the call. */
export function cutConnection(path: string, when: 'before' | 'after'): Fault {
  return async (call) => {
    if (call.path !== path) return false;
    if (when === 'after') await call.forward();
    call.response.destroy();
    return true;
  };
}
