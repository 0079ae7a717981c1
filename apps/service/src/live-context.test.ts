import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { liveContext } from './live-context.ts';

let asked = 0;
const server = createServer((_, response) => {
  asked += 1;
  response.writeHead(402).end('{}');
});
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => {
  server.close();
});

function contextOf(env: Record<string, string>) {
  const { live } = readConfig(env, 'live');
  if (live === null) throw new Error('live was asked for');
  const database = { url: 'http://127.0.0.1:1', secret: 'secret' };
  return liveContext({ live, database, owner: 'test', onChanged: () => Promise.resolve() });
}

const target = () => ({
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  methods: ['GET'],
});

it('dials no private address, as a probe or as a canary', async () => {
  const { prober, canaries } = contextOf({});
  expect(await prober(target())).toMatchObject({ outcome: 'refused-address' });
  expect(await canaries?.prober(target())).toMatchObject({ outcome: 'refused-address' });
  expect(asked).toBe(0);
});

it('dials them when a test allows it', async () => {
  const { prober } = contextOf({ ALLOW_PRIVATE: 'for-tests' });
  expect(await prober(target())).toMatchObject({ httpStatus: 402 });
});

it('starts no more probes than it may, whatever the host', async () => {
  const { manners } = contextOf({ PROBES_PER_SECOND: '4' });
  if (manners === undefined) throw new Error('it has no manners');
  const { signal } = new AbortController();
  const began = performance.now();
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((host) => manners.start({ host, urgent: false, signal })));
  expect(performance.now() - began).toBeGreaterThan(950);
});
