import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rootCertificates } from 'node:tls';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createCipher } from '@touchstone/watch';
import { readConfig } from './config/config.ts';
import { createLiveContext, createSandboxContext, type ContextOptions } from './context.ts';

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

const options: ContextOptions = {
  baseUrl: 'https://touchstone.example',
  database: { url: 'http://127.0.0.1:1', secret: 'secret' },
  cipher: createCipher([Buffer.alloc(32).toString('base64url')]),
  owner: 'test',
  onChanged: () => Promise.resolve(),
};

function createContext(env: Record<string, string>) {
  const { live } = readConfig(env, 'live');
  if (live === null) throw new Error('there is no live configuration');
  return createLiveContext(options, live);
}

const message = () => ({
  // Messages are sent over HTTPS only. The server of this test does not support HTTPS.
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

it('rejects a probe without a response after the sandbox process has ended, and otherwise records the miss', async () => {
  let isRunning = true;
  const { prober } = createSandboxContext(options, {
    chains: null,
    directoryUrl: 'http://127.0.0.1:1',
    isRunning: () => isRunning,
    control: {
      resolver: () => Promise.reject(new Error('ENOTFOUND')),
      ca: rootCertificates[0] ?? '',
      hostSuffix: '.sandbox.test',
    },
  });
  const probe = () => prober({ url: 'https://gone.sandbox.test/', methods: ['GET'] });
  expect(await probe()).toMatchObject({ httpStatus: null });
  isRunning = false;
  await expect(probe()).rejects.toThrow('The sandbox process has ended');
});
