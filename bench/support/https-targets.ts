import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createChallengeHeaders } from './challenge.ts';

/**
 * Program of a child process: HTTPS servers that respond to each request with a challenge. The path `/wait/250` delays
 * the response by 250 ms. The header `server-timing` contains the time since the server accepted the connection, in
 * milliseconds. Arguments: folder of the certificate and key, number of servers. The program sends the ports to the
 * parent process.
 */
const [folder = '', count = '1'] = process.argv.slice(2);
const identity = {
  cert: readFileSync(join(folder, 'leaf.pem')),
  key: readFileSync(join(folder, 'leaf.key')),
  minVersion: 'TLSv1.3' as const,
};

function startServer(): Promise<number> {
  const acceptedAt = new Map<number | undefined, number>();
  const server = createServer(identity, (request, response) => {
    const port = request.socket.remotePort;
    const respond = (): void => {
      const took = performance.now() - (acceptedAt.get(port) ?? Number.NaN);
      const timing = { 'server-timing': `own;dur=${took.toFixed(3)}` };
      response.writeHead(402, { ...headers, ...timing }).end('{}');
    };
    const wait = Number(/^\/wait\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
    if (wait === 0) respond();
    else setTimeout(respond, wait);
  });
  let headers: Record<string, string> = {};
  server.on('connection', (socket: Socket) => {
    acceptedAt.set(socket.remotePort, performance.now());
    socket.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  return new Promise((ready) => {
    server.listen(0, '127.0.0.1', 4_096, () => {
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      headers = createChallengeHeaders(`https://localhost:${port}/paid`);
      ready(port);
    });
  });
}

process.on('disconnect', () => process.exit(0));
process.send?.(await Promise.all(Array.from({ length: Number(count) }, startServer)));
