import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { once } from 'node:events';
import { StartupError, toErrorMessage } from '../startup-error.ts';

export const LOOPBACK = '127.0.0.1';

const describeFailure = (error: unknown, port: number): string =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    ? `port ${port} on ${LOOPBACK} is already in use`
    : toErrorMessage(error);

const getPort = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;

/**
 * Listens on the loopback address.
 * @param setting environment variable of the port, named in the error
 * @param port 0 for any free port
 * @returns the port that was opened
 * @throws StartupError when the port cannot be opened
 */
export const listenOnLoopback = (server: Server, setting: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(new StartupError(`${setting}: ${describeFailure(error, port)}`));
    server.once('error', fail);
    server.listen({ host: LOOPBACK, port }, () => {
      server.off('error', fail);
      resolve(getPort(server.address()));
    });
  });

/**
 * Finds a free port of the loopback address by opening and closing it. Another process may take it afterwards.
 * @param setting name of the port, for the error
 */
export const findFreePort = async (setting: string): Promise<number> => {
  const server = createServer();
  const port = await listenOnLoopback(server, setting, 0);
  server.close();
  await once(server, 'close');
  return port;
};
