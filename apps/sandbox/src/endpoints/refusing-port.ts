import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { once } from 'node:events';
import { findFreePort, listenOnLoopback, LOOPBACK } from '../http/loopback.ts';

/** A loopback port that refuses every connection until it is released. */
export interface RefusingPort {
  readonly port: number;
  readonly release: () => void;
}

/**
 * Reserves a port that refuses connections. The port is the local end of an open connection of this process. Nothing
 * listens on it, so connections to it are refused. Because it is in use, the system neither assigns it to another
 * process nor uses it for an outgoing connection; both can happen to a port that is merely free.
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
