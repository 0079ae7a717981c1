import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Running } from './serve.ts';

/** A server on a free port of 127.0.0.1 that answers each first piece of a request as no web server would. */
export async function serveRaw(answer: (socket: Socket) => void): Promise<Running> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
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
