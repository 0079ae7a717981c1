import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createChainSources, type PipelineContext } from '@touchstone/pipeline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createChainWatch } from './chain-watch.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
let server: Server;
/** Age of the newest block in seconds; null while the node responds with status 401. */
let age: number | null;
beforeEach(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      const timestamp = `0x${(NOW / 1_000 - (age ?? 0)).toString(16)}`;
      response.statusCode = age === null ? 401 : 200;
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { number: '0x7', timestamp } }));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
});
afterEach(() => new Promise((closed) => server.close(closed)));

/** Runs the job for each age, one after another. Returns the printed lines. */
async function watch(maxBlockAgeMs: number | null, ages: readonly number[]): Promise<readonly string[]> {
  const { port } = server.address() as AddressInfo;
  const chains = createChainSources(new Map([['eip155:8453', [`http://127.0.0.1:${port}`]]]));
  const lines: string[] = [];
  const job = createChainWatch({
    chains,
    maxBlockAgeMs,
    print: (part, text) => lines.push(`${part} ${text}`),
  });
  for (age of ages) await job.run({ now: () => NOW } as PipelineContext);
  return lines;
}

it('prints one line when a network lags, and one when it works again', async () => {
  expect(await watch(300_000, [2, 300, 420, 480, 2])).toEqual([
    'chain eip155:8453 lags: its newest block is 7 minutes old; payments on it are not confirmed until it works again',
    'chain eip155:8453 works again',
  ]);
});

it('accepts an old block of a chain that makes blocks on demand', async () => {
  expect(await watch(null, [86_400])).toEqual([]);
});
