import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { prepareClose } from './close-server.ts';

/** Time after which the server itself closes idle connections, in milliseconds. It is longer than the timeout of a test. */
const KEEP_ALIVE_MS = 60_000;

/** Starts a server and a request over a keep-alive connection, which the test responds to. */
async function startRequest() {
  const responses: ServerResponse[] = [];
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (_, response) => {
    responses.push(response);
    server.emit('received');
  });
  const close = prepareClose(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The cast is safe, because the address of a TCP server is an object with a port.
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const request = get({ port, host: '127.0.0.1', agent });
  // The cast is safe, because the event `response` has the response as its only value.
  const received = once(request, 'response').then(([value]) => value as IncomingMessage);
  await once(server, 'received');
  const [response] = responses;
  if (response === undefined) throw new Error('The server received no request.');
  return { close, response, received };
}

it('finishes a request under way, and closes its connection', async () => {
  const { close, response, received } = await startRequest();
  const closed = close();
  response.writeHead(200, ['Content-Type', 'text/plain']).end('complete');
  const { headers, ...message } = await received.then((value) => ({
    headers: value.headers,
    body: text(value),
  }));
  expect(headers).toMatchObject({ connection: 'close', 'content-type': 'text/plain' });
  expect(await message.body).toBe('complete');
  await closed;
});

it('closes the connection of a response whose headers were sent before', async () => {
  const { close, response, received } = await startRequest();
  response.write('half');
  const message = await received;
  expect(message.headers.connection).toBe('keep-alive');
  const closed = close();
  response.end(' complete');
  expect(await text(message)).toBe('half complete');
  await closed;
});
