import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCipher } from '@touchstone/watch';
import { readConfig } from '../config/config.ts';
import { createLiveContext } from './live-context.ts';

let requests = 0;
const server = createServer((_, response) => {
  requests += 1;
  response.writeHead(402).end('{}');
});
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => {
  server.close();
});

function createContext(env: Record<string, string>) {
  const { live } = readConfig(env, 'live');
  if (live === null) throw new Error('there is no live configuration');
  const database = { url: 'http://127.0.0.1:1', secret: 'secret' };
  return createLiveContext({
    live,
    baseUrl: 'https://touchstone.example',
    database,
    cipher: createCipher([Buffer.alloc(32).toString('base64url')]),
    owner: 'test',
    onChanged: () => Promise.resolve(),
  });
}

const message = () => ({
  // Messages are sent over HTTPS only. The server of this test does not support it.
  url: target().url.replace('http:', 'https:'),
  method: 'POST' as const,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  timeoutMs: 5_000,
  maxReplyBytes: 1_024,
});

const target = () => ({
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  methods: ['GET'],
});

it('does not connect to private addresses, for probes or canaries', async () => {
  const { prober, canaries } = createContext({});
  expect(await prober(target())).toMatchObject({ outcome: 'refused-address' });
  expect(await canaries?.prober(target())).toMatchObject({ outcome: 'refused-address' });
  expect(requests).toBe(0);
});

it('delivers no event to a private address', async () => {
  const sent = requests;
  const { watches } = createContext({});
  expect(await watches?.send(message())).toMatchObject({ outcome: 'refused-address' });
  expect(requests).toBe(sent);
});

it('connects to private addresses with ALLOW_PRIVATE, for probes and deliveries', async () => {
  const { prober, watches } = createContext({ ALLOW_PRIVATE: 'for-tests' });
  expect(await prober(target())).toMatchObject({ httpStatus: 402 });
  expect(await watches?.send(message())).toMatchObject({ outcome: 'tls-error' });
});

it('limits the rate of all probes across hosts', async () => {
  const { rateLimiter } = createContext({ PROBES_PER_SECOND: '4' });
  if (rateLimiter === undefined) throw new Error('the context has no rate limiter');
  const { signal } = new AbortController();
  const started = performance.now();
  await Promise.all(
    ['a', 'b', 'c', 'd', 'e'].map((host) => rateLimiter.acquire({ host, isUrgent: false, signal })),
  );
  expect(performance.now() - started).toBeGreaterThan(950);
});
