import type { AddressInfo, Server } from 'node:net';
import { reasonOf, StartupError } from './startup-error.ts';

export const LOOPBACK = '127.0.0.1';

const reasonToFail = (error: unknown, port: number): string =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    ? `port ${port} on ${LOOPBACK} is taken`
    : reasonOf(error);

/**
 * Opens a server on the loopback address.
 * @param setting the environment variable that chose the port, for the error
 * @param port 0: any free one
 * @returns the port it listens on
 * @throws StartupError when the port cannot be had
 */
export const listenOnLoopback = (server: Server, setting: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const refused = (error: unknown) => reject(new StartupError(`${setting}: ${reasonToFail(error, port)}`));
    server.once('error', refused);
    server.listen({ host: LOOPBACK, port }, () => {
      server.off('error', refused);
      resolve(portOf(server.address()));
    });
  });

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;
