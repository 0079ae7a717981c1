import { createServer, type AddressInfo, type Server } from 'node:net';
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
