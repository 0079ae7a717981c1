import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKeys, startEmbedded } from '@touchstone/embedded';
import type { Inspector } from '../apps/web-e2e/support/inspector.ts';
import { createDistinctPath } from './support/distinct-urls.ts';
import { generateEndpoints, loadDays, loadEndpoints, type GeneratedEndpoint } from './support/endpoints.ts';
import { formatNumber, formatQuantiles, measureRounds, median, printTable, time } from './support/figures.ts';
import { readMegabytes } from './support/processes.ts';
import {
  createClient,
  forEachAtOnce,
  forkDatabase,
  measureRate,
  startSite,
  type Client,
  type Site,
} from './support/site.ts';

/**
 * Measures the pages of the built site with 100,000 endpoints in the embedded database.
 *
 * - The rate of a cached endpoint page, compared with a static file of the same size from the same server.
 * - The first request of each page, compared with a later request.
 * - The memory of the site while its page cache fills, and then during requests for distinct URLs of many kinds. The
 *   memory is measured before and after a garbage collection, so the rest is in use or is a leak.
 *
 * Run `npm run build` first, then `npm run bench:pages`. It takes about 20 minutes; `BENCH_ENDPOINTS` and `BENCH_URLS`
 * set other numbers of endpoints and of distinct URLs. The database is a process of its own.
 */
const ENDPOINT_COUNT = Number(process.env['BENCH_ENDPOINTS'] ?? 100_000);
const URL_COUNT = Number(process.env['BENCH_URLS'] ?? 50_000);
const CONNECTIONS = 16;
const ROUNDS = 7;
const ROUND_MS = 2_000;
const COLD_PAGES = 500;
/** Number of endpoint pages that are requested to fill the page cache. */
const VISITED_PAGES = 8_000;
/** Number of distinct URLs between two measurements of the memory. */
const URLS_PER_ROUND = 5_000;
const HEADERS = { 'accept-encoding': 'gzip', accept: 'text/html' };
/**
 * Name of the temporary static file in the public folder. Next reads the list of these files at its start, and the proxy
 * admits only names of scripts.
 */
const STATIC_NAME = 'bench-static.js';
const STATIC_FILE = fileURLToPath(new URL(`../apps/web/public/${STATIC_NAME}`, import.meta.url));

const toEndpointPath = ({ id }: GeneratedEndpoint): string => `/endpoint/e-${id}`;

/** Compares a cached page with the static file. Rounds alternate, so that other load affects both. */
async function compareWithStaticFile(client: Client, site: Site, path: string): Promise<void> {
  const measure = (target: string) => () =>
    measureRate(client, site.url + target, { headers: HEADERS, atOnce: CONNECTIONS, ms: ROUND_MS });
  const subjects = [
    { name: 'page', measure: measure(path) },
    { name: 'file', measure: measure(`/${STATIC_NAME}`) },
  ];
  const rates = await measureRounds(subjects, { warmUp: 1, measured: ROUNDS });
  const [page, file] = [median(rates.get('page') ?? []), median(rates.get('file') ?? [])];
  console.log('\nCached endpoint page and static file of the same size, with gzip:');
  printTable([
    ['page per second', 'file per second', 'ratio'],
    [formatNumber(page), formatNumber(file), formatNumber(page / file, 2)],
  ]);
}

/** Returns the times of requests, one after the other, in milliseconds. */
async function timeRequests(client: Client, site: Site, paths: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const path of paths) {
    times.push(
      await time(async () => {
        const status = await client.get(site.url + path, { accept: 'text/html' });
        if (status !== 200) throw new Error(`${path} responded with ${status}.`);
      }),
    );
  }
  return times;
}

async function measureFirstRequests(
  client: Client,
  site: Site,
  endpoints: readonly GeneratedEndpoint[],
): Promise<void> {
  const paths = endpoints.slice(0, COLD_PAGES).map(toEndpointPath);
  const row = (name: string, times: readonly number[]) => [name, ...formatQuantiles(times, [0.5, 0.95])];
  const first = await timeRequests(client, site, paths);
  await timeRequests(client, site, paths);
  // The second request reads the page cache. Later requests read the memory of the site.
  const later = await timeRequests(client, site, paths);
  console.log(`\n${COLD_PAGES} endpoint pages, one request after the other:`);
  printTable([
    ['', 'p50 ms', 'p95 ms'],
    row('first request', first),
    row('later request, from memory', later),
  ]);
  console.log(`  first request: ${formatNumber(median(first) / median(later), 1)} times a later one`);
}

/** Number of clients that have sent a request. */
let clientCount = 0;

/** Returns another client address for each call, because the site limits the requests of each address per minute. */
function createAddress(): string {
  clientCount += 1;
  return `10.${clientCount >> 16}.${(clientCount >> 8) & 255}.${clientCount & 255}`;
}

/** Requests each path once, and each from another client address. */
async function visit(client: Client, site: Site, paths: readonly string[]): Promise<void> {
  await forEachAtOnce(paths, CONNECTIONS, async (path) => {
    const status = await client.get(site.url + path, { ...HEADERS, 'x-forwarded-for': createAddress() });
    if (status >= 500) throw new Error(`${path} responded with ${status}.`);
  });
}

/** Returns the number of latest paths whose pages are in the page cache. */
async function countCachedPages(site: Site, paths: readonly string[]): Promise<number> {
  for (const [index, path] of paths.toReversed().entries()) {
    const response = await fetch(site.url + path, { headers: { accept: 'text/html' } });
    await response.arrayBuffer();
    if (response.headers.get('x-nextjs-cache') !== 'HIT') return index;
  }
  return paths.length;
}

/** Measures the memory of a site. The result is a row of the table. */
async function measureMemory(site: Site, inspector: Inspector, name: string): Promise<readonly string[]> {
  const resident = readMegabytes(site.pid, 'VmRSS');
  const { heapMib, buffersMib } = await inspector.measureMemory();
  const megabytes = [resident, readMegabytes(site.pid, 'VmRSS'), heapMib, buffersMib];
  return [name, ...megabytes.map((value) => formatNumber(value))];
}

/** Prints the memory of the site after endpoint pages, and after each round of distinct URLs. */
async function measureFlood(
  client: Client,
  site: Site,
  endpoints: readonly GeneratedEndpoint[],
): Promise<void> {
  const inspector = await site.inspect();
  const paths = endpoints.slice(COLD_PAGES, COLD_PAGES + VISITED_PAGES).map(toEndpointPath);
  const rows = [await measureMemory(site, inspector, 'started')];
  await visit(client, site, paths);
  rows.push(await measureMemory(site, inspector, `${formatNumber(paths.length)} endpoint pages`));
  const cached = await countCachedPages(site, paths);
  for (let start = 0; start < URL_COUNT; start += URLS_PER_ROUND) {
    const indexes = Array.from({ length: URLS_PER_ROUND }, (_, index) => start + index);
    await visit(
      client,
      site,
      indexes.map((index) => createDistinctPath(index, endpoints)),
    );
    rows.push(await measureMemory(site, inspector, `${formatNumber(start + URLS_PER_ROUND)} distinct URLs`));
  }
  inspector.close();
  console.log(`\nMemory of the site in MB; its page cache had ${formatNumber(cached)} endpoint pages:`);
  printTable([['after', 'resident', 'resident after GC', 'heap after GC', 'buffers after GC'], ...rows]);
  console.log(`  peak: ${formatNumber(readMegabytes(site.pid, 'VmHWM'))} MB resident`);
}

async function loadDatabase(dataDir: string, endpoints: readonly GeneratedEndpoint[]): Promise<void> {
  const database = await startEmbedded({ dataDir, keys: createKeys() });
  const { driver } = database.connection;
  await loadEndpoints((sql) => driver.exec(sql), endpoints);
  await loadDays((sql) => driver.exec(sql), endpoints.slice(0, COLD_PAGES + VISITED_PAGES));
  await driver.exec('analyze');
  await database.close();
}

async function measure(dataDir: string): Promise<void> {
  const endpoints = generateEndpoints(ENDPOINT_COUNT).filter(({ isPublic }) => isPublic);
  const keys = createKeys();
  console.log(`${formatNumber(ENDPOINT_COUNT)} endpoints are being stored …`);
  await loadDatabase(dataDir, endpoints);
  const database = await forkDatabase(dataDir, keys);
  const client = createClient(CONNECTIONS);
  const start = (): Promise<Site> => startSite(database.url, keys);
  const [sample] = endpoints;
  if (sample === undefined) throw new Error('There are no endpoints.');
  try {
    const preparing = await start();
    const page = await fetch(preparing.url + toEndpointPath(sample));
    writeFileSync(STATIC_FILE, await page.text());
    await preparing.stop();
    const site = await start();
    try {
      await compareWithStaticFile(client, site, toEndpointPath(sample));
      await measureFirstRequests(client, site, endpoints);
      await measureFlood(client, site, endpoints);
    } finally {
      await site.stop();
    }
  } finally {
    client.close();
    await database.stop();
    rmSync(STATIC_FILE, { force: true });
  }
}

const folder = mkdtempSync(join(tmpdir(), 'touchstone-pages-'));
const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
// The terminal also sends SIGINT to the database and to the site.
process.once('SIGINT', () => {
  rmSync(STATIC_FILE, { force: true });
  removeFolder();
  process.exit(130);
});
await measure(join(folder, 'db')).finally(removeFolder);
