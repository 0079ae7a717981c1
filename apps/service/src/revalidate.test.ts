import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createRevalidator } from './revalidate.ts';

const bodySchema = z.object({ tags: z.array(z.string()) });
let server: Server;
let origin: string;
let status: number;
let told: string[][];

beforeEach(async () => {
  status = 200;
  told = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      expect(request.headers.authorization).toBe('Bearer token');
      told.push(bodySchema.parse(JSON.parse(body)).tags);
      response.writeHead(status).end('{}');
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((done) => server.close(done)));

it('tells every page, at most 128 tags a request', async () => {
  await createRevalidator(origin, 'token')(Array.from({ length: 300 }, (_, i) => `id${i}`));
  for (const tags of told) expect(tags.length).toBeLessThanOrEqual(128);
  expect(new Set(told.flat()).size).toBe(302);
});

it('asks nothing where nothing changed', async () => {
  await createRevalidator(origin, 'token')([]);
  expect(told).toEqual([]);
});

it('keeps what the site did not take for the next time', async () => {
  const revalidate = createRevalidator(origin, 'token');
  status = 503;
  await expect(revalidate(['one'])).rejects.toThrow('answered 503');
  status = 200;
  await revalidate([]);
  expect(told.at(-1)).toEqual(['leaderboard', 'ecosystem', 'endpoint:one']);
  await revalidate([]);
  expect(told).toHaveLength(2);
});
