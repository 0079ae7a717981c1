import type { Server, Socket } from 'node:net';

/**
 * Creates a function that resets the connection of a client's port with a TCP RST. A TLS socket can only be closed
 * properly, so the TCP socket below each TLS connection is remembered until it closes.
 */
export const createConnectionResetter = (server: Server): ((remotePort: number) => void) => {
  const sockets = new Map<number, Socket>();
  server.on('connection', (socket) => {
    const { remotePort } = socket;
    if (remotePort === undefined) return;
    sockets.set(remotePort, socket);
    socket.once('close', () => sockets.delete(remotePort));
  });
  return (remotePort) => sockets.get(remotePort)?.resetAndDestroy();
};
