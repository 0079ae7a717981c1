import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { listenOnLoopback, LOOPBACK } from '../http/loopback.ts';

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
export async function reserveRefusingPort(): Promise<RefusingPort> {
  const accepted: Socket[] = [];
  const peer: Server = createServer((socket) => accepted.push(socket));
  const peerPort = await listenOnLoopback(peer, 'refusing port', 0);
  // The system selects the local port, since another process could take a port that was found free before.
  const holder = connect({ host: LOOPBACK, port: peerPort });
  await once(holder, 'connect');
  const { localPort: port = 0 } = holder;
  const release = () => {
    for (const socket of [holder, ...accepted]) socket.destroy();
    peer.close();
  };
  return { port, release };
}
