import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Running } from './serve.ts';

/**
 * Starts a TCP server on a free port of 127.0.0.1. `reply` is called when the first data arrives, and can send invalid
 * HTTP.
 */
export async function startRawServer(reply: (socket: Socket) => void): Promise<Running> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => reply(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return {
    port: address.port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
