import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { once } from 'node:events';
import { listenOnLoopback, LOOPBACK } from './loopback.ts';

/** A loopback port where every connection is refused for as long as it is held. */
export interface RefusingPort {
  readonly port: number;
  readonly release: () => void;
}

const freePort = async (): Promise<number> => {
  const probe = createServer();
  const port = await listenOnLoopback(probe, 'refusing port', 0);
  probe.close();
  await once(probe, 'close');
  return port;
};

/**
 * Holds a port that refuses connections. The near end of one of our own connections occupies it: nothing listens
 * there, so whoever dials it is refused, and the system neither hands it to the next process that asks for any free
 * port nor dials from it, as it may with a port that was merely found free.
 */
export const holdRefusingPort = async (): Promise<RefusingPort> => {
  const port = await freePort();
  const ends: Socket[] = [];
  const keeper: Server = createServer((socket) => ends.push(socket));
  const keeperPort = await listenOnLoopback(keeper, 'refusing port', 0);
  const holder = connect({ host: LOOPBACK, port: keeperPort, localAddress: LOOPBACK, localPort: port });
  await once(holder, 'connect');
  const release = () => {
    for (const socket of [holder, ...ends]) socket.destroy();
    keeper.close();
  };
  return { port, release };
};
