import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';

/** A running server. */
export interface Running {
  readonly port: number;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Starts a web server on a free port of 127.0.0.1. @param tls key and certificate for HTTPS */
export async function startServer(
  listener: RequestListener,
  tls?: { readonly key: string; readonly cert: string },
): Promise<Running> {
  const server = tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return {
    port: address.port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
