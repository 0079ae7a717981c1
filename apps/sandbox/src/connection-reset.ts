import type { Server, Socket } from 'node:net';

/**
 * Lets a TLS server cut connections the hard way: a TLS socket can only be closed in good order, so the TCP socket
 * below each one is remembered for as long as it is open.
 * @returns a function that resets the connection of a client's port
 */
export const connectionResetter = (server: Server): ((remotePort: number) => void) => {
  const sockets = new Map<number, Socket>();
  server.on('connection', (socket) => {
    const { remotePort } = socket;
    if (remotePort === undefined) return;
    sockets.set(remotePort, socket);
    socket.once('close', () => sockets.delete(remotePort));
  });
  return (remotePort) => sockets.get(remotePort)?.resetAndDestroy();
};
