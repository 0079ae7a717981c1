import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import type { PipelineContext } from '@touchstone/pipeline';
import { connect } from '@touchstone/store';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepDiscovering } from './keep-discovering.ts';

const keys = createKeys();
let database: EmbeddedDatabase;
let server: Server;
let port: number;
beforeAll(async () => {
  database = await startMigrated({ keys });
  const page = { x402Version: 2, items: [], pagination: { limit: 100, offset: 0, total: 0 } };
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  await new Promise((closed) => server.close(closed));
  await database.close();
});

/** The directory is there or not as the network is; its address stays the same. */
function context(isOnline: () => boolean): PipelineContext {
  return {
    db: connect({ url: database.url, key: keys.secret }),
    prober: () => Promise.reject(new Error('nothing is probed here')),
    directories: [{ name: 'the directory', url: `http://127.0.0.1:${port}`, pageSize: 100 }],
    fetch: (input, init) =>
      isOnline()
        ? fetch(input, init)
        : Promise.reject(
            Object.assign(new TypeError('fetch failed'), {
              cause: Object.assign(new Error(), { code: 'ENOTFOUND' }),
            }),
          ),
    now: Date.now,
    hostSuffix: null,
    owner: 'test',
    onChanged: () => Promise.resolve(),
  };
}

describe('reading the directories without a network', () => {
  it('is said in one line and tried again, less and less often, until the network is there', async () => {
    const stopping = new AbortController();
    const said: string[] = [];
    const slept: number[] = [];
    let readings = 0;
    await keepDiscovering({
      context: context(() => slept.length >= 3),
      say: (part, text) => {
        said.push(`${part}: ${text}`);
      },
      log: pino({ level: 'silent' }),
      signal: stopping.signal,
      onRead: () => {
        readings += 1;
      },
      sleepBetweenAttempts: () => Promise.resolve(),
      sleep: (ms) => {
        slept.push(ms);
        if (slept.length === 4) stopping.abort();
        return Promise.resolve();
      },
    });
    expect(slept.slice(0, 3)).toEqual([30_000, 60_000, 120_000]);
    // Read at last, it is read again an hour after the start of this reading.
    expect(slept[3]).toBeGreaterThan(59 * 60_000);
    expect(readings).toBe(4);
    expect(said.filter((line) => line.startsWith('network: no directory can be reached'))).toHaveLength(1);
    expect(said[0]).toContain('tried again in 30 seconds');
    expect(said).toContain('network: there again');
    expect(said.at(-1)).toMatch(/^directory: /);
  });
});
