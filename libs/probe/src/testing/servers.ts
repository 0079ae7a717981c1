import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { SecureContextOptions, TlsOptions } from 'node:tls';

export interface RunningServer {
  readonly port: number;
  /** Returns the number of connections that were accepted so far. */
  readonly connections: () => number;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

export interface ServerOptions {
  /** Certificate, key and TLS settings; absent for a server with plain HTTP. */
  readonly tls?: SecureContextOptions & Pick<TlsOptions, 'requestCert' | 'SNICallback'>;
  readonly host?: string;
}

async function run(server: Server, host = '127.0.0.1'): Promise<RunningServer> {
  const open = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    open.add(socket);
    // Errors are ignored, because tests close connections early on purpose.
    socket.on('error', () => undefined);
    socket.once('close', () => open.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  return {
    port: readPort(server.address()),
    connections: () => accepted,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function readPort(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string')
    throw new TypeError('the server does not listen on a port');
  return address.port;
}

/** Starts an HTTP or HTTPS server on a free port of this machine. */
export function serve(listener: RequestListener, options: ServerOptions = {}): Promise<RunningServer> {
  const server =
    options.tls === undefined ? createHttpServer(listener) : createHttpsServer(options.tls, listener);
  return run(server, options.host);
}

/** Starts a TCP server on a free port. The listener can send any bytes, also data that is not HTTP. */
export function serveTcp(listener: (socket: Socket) => void, host?: string): Promise<RunningServer> {
  return run(createTcpServer(listener), host);
}

/** Starts a server that sends only the given bytes when a request arrives. */
export function serveText(text: string | Uint8Array): Promise<RunningServer> {
  return serveTcp((socket) => socket.once('data', () => socket.write(text)));
}
