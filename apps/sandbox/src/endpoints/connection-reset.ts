import type { Server, Socket } from 'node:net';

/**
 * Creates a function that finds a TCP connection by the port of its client and resets it with an RST segment. Node
 * resets only TCP sockets, so the function uses the TCP socket below the TLS socket.
 */
export function createConnectionResetter(server: Server): (remotePort: number) => void {
  const sockets = new Map<number, Socket>();
  server.on('connection', (socket) => {
    const { remotePort } = socket;
    if (remotePort === undefined) return;
    sockets.set(remotePort, socket);
    socket.once('close', () => sockets.delete(remotePort));
  });
  return (remotePort) => sockets.get(remotePort)?.resetAndDestroy();
}
