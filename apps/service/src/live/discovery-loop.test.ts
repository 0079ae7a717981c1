import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import type { PipelineContext } from '@touchstone/pipeline';
import { connect } from '@touchstone/store';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDiscoveryLoop } from './discovery-loop.ts';

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

/** Creates a context whose directory can be reached while `isOnline` returns true. */
function createContext(isOnline: () => boolean): PipelineContext {
  return {
    db: connect({ url: database.url, key: keys.secret }),
    prober: () => Promise.reject(new Error('this test does not probe')),
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

describe('runDiscoveryLoop without a network', () => {
  it('prints one line and tries again at increasing intervals until the network is available', async () => {
    const stopping = new AbortController();
    const printed: string[] = [];
    const slept: number[] = [];
    let readings = 0;
    await runDiscoveryLoop({
      context: createContext(() => slept.length >= 3),
      print: (part, text) => {
        printed.push(`${part}: ${text}`);
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
    // After a successful reading, the loop waits until one hour after the start of this reading.
    expect(slept[3]).toBeGreaterThan(59 * 60_000);
    expect(readings).toBe(4);
    expect(printed.filter((line) => line.startsWith('network: no directory can be reached'))).toHaveLength(1);
    expect(printed[0]).toContain('tried again in 30 seconds');
    expect(printed).toContain('network: directories can be reached again');
    expect(printed.at(-1)).toMatch(/^directory: /);
  });
});
