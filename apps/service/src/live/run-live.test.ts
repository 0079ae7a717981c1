import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createCipher } from '@touchstone/watch';
import { readConfig } from '../config/config.ts';
import { createLiveContext } from './run-live.ts';

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

it('does not connect to private addresses, for probes, canaries or deliveries', async () => {
  const { prober, canaries, watches } = createContext({});
  expect(await prober(target())).toMatchObject({ outcome: 'refused-address' });
  expect(await canaries?.prober(target())).toMatchObject({ outcome: 'refused-address' });
  expect(await watches?.send(message())).toMatchObject({ outcome: 'refused-address' });
  expect(requests).toBe(0);
});

it('connects to private addresses with ALLOW_PRIVATE, for probes and deliveries', async () => {
  const { prober, watches } = createContext({ ALLOW_PRIVATE: 'for-tests' });
  expect(await prober(target())).toMatchObject({ httpStatus: 402 });
  expect(await watches?.send(message())).toMatchObject({ outcome: 'tls-error' });
});

it('limits the rate of all probes across hosts', async () => {
  const { rateLimiter } = createContext({ PROBES_PER_SECOND: '4' });
  vi.useFakeTimers({ fakeNodeBuiltins: true, toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { signal } = new AbortController();
  let granted = 0;
  for (const host of ['a', 'b', 'c', 'd', 'e'])
    void rateLimiter?.acquire({ host, isUrgent: false, signal }).then(() => (granted += 1));
  await vi.advanceTimersByTimeAsync(950);
  expect(granted).toBe(4);
  await vi.advanceTimersByTimeAsync(50);
  expect(granted).toBe(5);
  vi.useRealTimers();
});
