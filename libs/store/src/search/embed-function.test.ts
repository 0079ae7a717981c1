import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { connect, invokeEmbedFunction, StoreError } from '../index.ts';

/** Signal that never aborts. */
const OPEN = new AbortController().signal;

/** Starts an edge function `embed` that returns its request body, or 503 for an empty list of texts. */
async function startFunction(): Promise<string> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      response.writeHead(body.includes('[]') ? 503 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ path: request.url, key: request.headers['apikey'], body }));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  // The cast is safe, because the address of a listening TCP server is an object with a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('sends the body to the edge function with the key, and returns its response', async () => {
  const db = connect({ url: await startFunction(), key: 'sb_secret_test' });
  expect(await invokeEmbedFunction(db, { texts: ['one'] }, OPEN)).toEqual({
    path: '/functions/v1/embed',
    key: 'sb_secret_test',
    body: '{"texts":["one"]}',
  });
});

it('throws StoreError for an error status or without a server', async () => {
  const db = connect({ url: await startFunction(), key: 'sb_secret_test' });
  await expect(invokeEmbedFunction(db, { texts: [] }, OPEN)).rejects.toThrow(StoreError);
  const unreachable = connect({ url: 'http://127.0.0.1:1', key: 'sb_secret_test' });
  await expect(invokeEmbedFunction(unreachable, { texts: ['one'] }, OPEN)).rejects.toThrow(
    'Could not call the edge function embed',
  );
});

it('ends with StoreError at the timeout when the function never responds', { timeout: 5_000 }, async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const db = connect({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: 'sb_secret_test',
  });
  const call = invokeEmbedFunction(db, { texts: ['one'] }, AbortSignal.timeout(200));
  await expect(call).rejects.toThrow(StoreError);
});
