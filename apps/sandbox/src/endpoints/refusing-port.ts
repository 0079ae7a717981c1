import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { once } from 'node:events';
import { findFreePort, listenOnLoopback, LOOPBACK } from '../http/loopback.ts';

/** Loopback port that refuses every connection until it is released. */
export interface RefusingPort {
  readonly port: number;
  readonly release: () => void;
}

/**
 * Reserves a port that refuses connections. This process uses the port as the local end of an open connection and does
 * not listen on it, so the system refuses all connections to the port. A port that is merely free is not enough,
 * because another process could open it.
 */
export const reserveRefusingPort = async (): Promise<RefusingPort> => {
  const port = await findFreePort('refusing port');
  const accepted: Socket[] = [];
  const peer: Server = createServer((socket) => accepted.push(socket));
  const peerPort = await listenOnLoopback(peer, 'refusing port', 0);
  const holder = connect({ host: LOOPBACK, port: peerPort, localAddress: LOOPBACK, localPort: port });
  await once(holder, 'connect');
  const release = () => {
    for (const socket of [holder, ...accepted]) socket.destroy();
    peer.close();
  };
  return { port, release };
};
