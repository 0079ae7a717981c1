import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findProcesses } from '../support/processes.ts';
import { runAtOnce } from '../support/run-at-once.ts';
import { startService, type RunningService } from '../support/service.ts';

const START_MS = 300_000;
/** Number of requests for each kind of URL. */
const REQUESTS_PER_KIND = 850;
const MCP_REQUESTS = 1_000;
const CONNECTIONS = 16;
/** Maximum peak of the site's memory (its resident set), in MiB. docs/operate.md has the measured peak. */
const MAX_SITE_MIB = 900;

let dataDir: string;
let service: RunningService;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-memory-'));
  service = await startService({
    ...{ DATA_DIR: dataDir, SANDBOX_DAYS: '1', EMBEDDER: 'none' },
    // Each request names another client address.
    TRUSTED_PROXIES: '1',
  });
  await service.waitForOutput('schedule', START_MS);
}, START_MS);
afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Returns a text that no other request has, in the format of an endpoint id. */
const toId = (index: number): string =>
  `zzzzz${String(index)
    .padStart(5, '0')
    .replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}`;

/** Kinds of URLs that clients can request in any number. Most of them name nothing that exists. */
const TO_PATHS: readonly ((id: string) => string)[] = [
  (id) => `/endpoint/unknown-${id}`,
  (id) => `/endpoint/unknown-${id}.json`,
  (id) => `/endpoint/unknown-${id}.rsc`,
  (id) => `/provider/${id}.example.com`,
  (id) => `/?variant=${id}`,
  (id) => `/explore?provider=${id}.example.com`,
  (id) => `/badge/${id}.svg`,
  (id) => `/picture/${id}.png`,
  (id) => `/schemas/${id}.json`,
  (id) => `/docs/${id}`,
  (id) => `/_next/static/${id}.js`,
  (id) => `/${id}/${id}`,
];

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** Sends a request from a random client address. Returns the status of the response. */
function send(path: string, message?: unknown): Promise<number> {
  const body = message === undefined ? undefined : JSON.stringify(message);
  return new Promise((resolve, reject) => {
    request(
      new URL(path, service.url),
      {
        agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...(body === undefined ? { accept: 'text/html' } : { 'content-type': 'application/json' }),
          'x-forwarded-for': [10, randomInt(256), randomInt(256), randomInt(256)].join('.'),
        },
      },
      (response) => response.resume().once('end', () => resolve(response.statusCode ?? 0)),
    )
      .once('error', reject)
      .end(body);
  });
}

/** Returns the peak of the site's memory, in MiB. The site must run with a heap limit. */
function readPeak(): number {
  const [site] = findProcesses(dataDir).filter((pid) =>
    /--max-old-space-size=\d+\0.*web\/src\/serving\/main\.ts/.test(
      readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    ),
  );
  const status = readFileSync(`/proc/${String(site)}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}

// The test reads the memory in /proc.
it.skipIf(process.platform !== 'linux')(
  'keeps the memory of the site below its limit while clients request 10,000 different URLs',
  async () => {
    const ids = Array.from({ length: REQUESTS_PER_KIND }, (_, index) => toId(index));
    const paths = ids.flatMap((id) => TO_PATHS.map((toPath) => toPath(id)));
    const statuses = await runAtOnce(paths, CONNECTIONS, (path) => send(path));
    const messages = Array.from({ length: MCP_REQUESTS }, (_, id) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call' },
      params: { name: `unknown-${id}`, arguments: { resources: Array.from({ length: 500 }, () => id) } },
    }));
    const calls = await runAtOnce(messages, CONNECTIONS, (message) => send('/mcp', message));
    expect([...statuses, ...calls].filter((status) => status >= 500)).toEqual([]);
    expect(service.output()).not.toContain('stopped unexpectedly');
    expect(readPeak()).toBeLessThan(MAX_SITE_MIB);
  },
  START_MS,
);
