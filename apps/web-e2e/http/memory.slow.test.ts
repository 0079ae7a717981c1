import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { connectInspector } from '../support/inspector.ts';
import { findProcesses } from '../support/processes.ts';
import { runAtOnce } from '../support/run-at-once.ts';
import { startService, type RunningService } from '../support/service.ts';

const START_MS = 300_000;
/** Number of different URLs. The figures in docs/operate.md are from a run with `MEMORY_URLS=50000`. */
const URLS = Number(process.env['MEMORY_URLS'] ?? 6_000);
const TEST_MS = START_MS + 40 * URLS;
/** Number of clients that send requests. */
const CLIENTS = 16;
const IDLE_CONNECTIONS = 1_000;
/** Maximum peak of the site's memory (its resident set), in MiB. docs/operate.md has the measured peak. */
const MAX_SITE_MIB = 900;
/** Maximum growth of the site's heap during the second half of the requests, in MiB. */
const MAX_GROWTH_MIB = 8;

let dataDir: string;
let service: RunningService;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-memory-'));
  service = await startService({
    ...{ DATA_DIR: dataDir, SANDBOX_DAYS: '1', EMBEDDER: 'none' },
    // Each request names another client address.
    TRUSTED_PROXIES: '1',
    // The inspector of the site uses any free port.
    NODE_OPTIONS: '--inspect-port=0',
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
  (id) => `/explore?host=${id}.example.com`,
  (id) => `/badge/${id}.svg`,
  (id) => `/picture/${id}.png`,
  (id) => `/schemas/${id}.json`,
  (id) => `/docs/${id}`,
  (id) => `/_next/static/${id}.js`,
  (id) => `/${id}/${id}`,
];

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

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

/** Requests different URLs, and sends an MCP message for every tenth URL. Returns the statuses of the responses. */
async function sendMany(start: number, end: number): Promise<readonly number[]> {
  const indexes = Array.from({ length: end - start }, (_, index) => start + index);
  return runAtOnce(indexes, CLIENTS, async (index) => {
    const path = TO_PATHS[index % TO_PATHS.length]?.(toId(index)) ?? '';
    if (index % 10 > 0) return send(path);
    const params = { name: `unknown-${index}`, arguments: { resources: Array(500).fill(index) } };
    const status = await send('/mcp', { jsonrpc: '2.0', id: index, method: 'tools/call', params });
    return Math.max(status, await send(path));
  });
}

/** Opens connections that send no complete request. */
async function openIdleConnections(): Promise<readonly Socket[]> {
  const { port } = new URL(service.url);
  const sockets = Array.from({ length: IDLE_CONNECTIONS }, () => connect(Number(port), '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets)
    socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: localhost\r\n');
  return sockets;
}

/** Returns the process of the site. The site must run with a heap limit. */
function findSite(): number {
  const [site = 0] = findProcesses(dataDir).filter((pid) =>
    /--max-old-space-size=\d+\0.*web\/src\/serving\/main\.ts/.test(
      readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    ),
  );
  return site;
}

/** Returns a value of the memory of the site, in MiB: its resident set, or the peak of its resident set. */
function readMemory(name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${String(findSite())}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024;
}

/** Returns the URL of the inspector of the site. The site starts its inspector on SIGUSR1, and logs the URL. */
function findInspector(): Promise<string> {
  process.kill(findSite(), 'SIGUSR1');
  const readUrl = () =>
    /Debugger listening on (ws:\S+)/.exec(readFileSync(join(dataDir, 'logs', 'web.log'), 'utf8'))?.[1];
  return vi.waitFor(() => readUrl() ?? expect.fail('no inspector'), { timeout: START_MS });
}

// The test reads the memory in /proc.
it.skipIf(process.platform !== 'linux')(
  'keeps the memory of the site flat and below its limit while clients request different URLs',
  async () => {
    const rows: string[] = [];
    const inspector = await connectInspector(await findInspector());
    const measure = async (name: string): Promise<number> => {
      const resident = readMemory('VmRSS');
      const { heapMib: heap } = await inspector.measureMemory();
      rows.push(`${name}: resident ${resident.toFixed(0)} MiB, heap ${heap.toFixed(1)} MiB`);
      return heap;
    };
    await measure('started');
    const first = await sendMany(0, URLS / 2);
    const half = await measure(`${URLS / 2} URLs`);
    const idle = await openIdleConnections();
    await measure(`${IDLE_CONNECTIONS} idle connections`);
    const second = await sendMany(URLS / 2, URLS);
    for (const socket of idle) socket.destroy();
    const all = await measure(`${URLS} URLs`);
    inspector.close();
    process.stdout.write(`${[...rows, `peak ${readMemory('VmHWM').toFixed(0)} MiB`].join('\n')}\n`);
    expect([...first, ...second].filter((status) => status >= 500)).toEqual([]);
    expect(service.output()).not.toContain('stopped unexpectedly');
    expect(readMemory('VmHWM')).toBeLessThan(MAX_SITE_MIB);
    expect(all - half).toBeLessThan(MAX_GROWTH_MIB);
  },
  TEST_MS,
);
