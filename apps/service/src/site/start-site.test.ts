import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRevalidator, getInternalUrl, getLocalUrl } from './start-site.ts';

it.each([
  [null, 'http://localhost:3000', 'http://127.0.0.1:3000'],
  ['127.0.0.1', 'http://localhost:3000', 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://localhost:3000', 'http://127.0.0.1:3000'],
  ['::1', 'http://localhost:3000', 'http://[::1]:3000'],
  ['192.0.2.7', 'http://192.0.2.7:3000', 'http://192.0.2.7:3000'],
  ['2001:db8::7', 'http://[2001:db8::7]:3000', 'http://[2001:db8::7]:3000'],
])(
  'a site that listens on %s has the URL %s for people and %s for the service',
  (listenAddress, local, internal) => {
    expect(getLocalUrl({ port: 3000, listenAddress })).toBe(local);
    expect(getInternalUrl({ port: 3000, listenAddress })).toBe(internal);
  },
);

describe('createRevalidator', () => {
  const bodySchema = z.object({ tags: z.array(z.string()) });
  let server: Server;
  let origin: string;
  /** Status of the responses. With status 0, the server does not respond. */
  let status: number;
  let sent: string[][];

  beforeEach(async () => {
    status = 200;
    sent = [];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
      request.on('end', () => {
        expect(request.headers.authorization).toBe('Bearer token');
        sent.push(bodySchema.parse(JSON.parse(body)).tags);
        if (status !== 0) response.writeHead(status).end('{}');
      });
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => new Promise((done) => server.close(done).closeAllConnections()));

  it('sends every tag, at most 128 per request', async () => {
    const tags = Array.from({ length: 300 }, (_, i) => `endpoint:${i}`);
    await createRevalidator(origin, 'token')(tags);
    expect(sent.map(({ length }) => length)).toEqual([128, 128, 44]);
    expect(sent.flat()).toEqual(tags);
  });

  it('sends no request when nothing changed', async () => {
    await createRevalidator(origin, 'token')([]);
    expect(sent).toEqual([]);
  });

  it.each([
    [503, 'responded with 503'],
    [0, 'timeout'],
  ])('sends tags again after a request that failed with status %i', async (failure, message) => {
    const revalidate = createRevalidator(origin, 'token', 200);
    status = failure;
    await expect(revalidate(['leaderboard', 'endpoint:one'])).rejects.toThrow(message);
    status = 200;
    await revalidate([]);
    expect(sent.at(-1)).toEqual(['leaderboard', 'endpoint:one']);
    await revalidate([]);
    expect(sent).toHaveLength(2);
  });
});
