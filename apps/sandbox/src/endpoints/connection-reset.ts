import type { Server, Socket } from 'node:net';

/**
 * Creates a function that resets the TCP connection from a client port with an RST segment. A TLS socket can only be
 * closed with a TLS close, so the function resets the TCP socket below it.
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
