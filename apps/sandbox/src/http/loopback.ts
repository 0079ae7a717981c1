import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { StartupError, toErrorMessage } from '../startup-error.ts';

export const LOOPBACK = '127.0.0.1';

function describeFailure(error: unknown, port: number): string {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    ? `port ${port} on ${LOOPBACK} is already in use`
    : toErrorMessage(error);
}

function getPort(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/**
 * Listens on the loopback address.
 * @param setting environment variable or description of the port, for error messages
 * @param port port number; 0 selects any free port
 * @returns the port that was opened
 * @throws StartupError when the port cannot be opened
 */
export function listenOnLoopback(server: Server, setting: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(new StartupError(`${setting}: ${describeFailure(error, port)}`));
    server.once('error', fail);
    server.listen({ host: LOOPBACK, port }, () => {
      server.off('error', fail);
      resolve(getPort(server.address()));
    });
  });
}

/**
 * Finds a free port of the loopback address by opening and closing a server. Another process can open the port
 * afterwards.
 * @param setting description of the port, for error messages
 * @param port port that must be free; 0 selects any free port
 * @throws StartupError when the port is in use
 */
export async function findFreePort(setting: string, port = 0): Promise<number> {
  const server = createServer();
  const freePort = await listenOnLoopback(server, setting, port);
  server.close();
  await once(server, 'close');
  return freePort;
}

/** Loopback port that refuses every connection until it is released. */
export interface RefusingPort {
  readonly port: number;
  readonly release: () => void;
}

/**
 * Reserves a port that refuses connections. This process uses the port as the local end of an open connection and does
 * not listen on it, so the system refuses all connections to the port. A free port is not enough, because another
 * process could open it.
 */
export async function reserveRefusingPort(): Promise<RefusingPort> {
  const accepted: Socket[] = [];
  const peer: Server = createServer((socket) => accepted.push(socket));
  const peerPort = await listenOnLoopback(peer, 'refusing port', 0);
  // The system selects the local port. If this code selected a free port, another process could open the port before
  // `connect`.
  const holder = connect({ host: LOOPBACK, port: peerPort });
  await once(holder, 'connect');
  const { localPort: port = 0 } = holder;
  const release = () => {
    for (const socket of [holder, ...accepted]) socket.destroy();
    peer.close();
  };
  return { port, release };
}
