import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKeys, startEmbedded } from '@touchstone/embedded';
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
 * - The memory of the site after many pages and after many unknown URLs.
 *
 * Run `npm run build` first, then `npm run bench:pages`. It takes about ten minutes; `BENCH_ENDPOINTS` sets another
 * number of endpoints. The database is a process of its own.
 */
const ENDPOINT_COUNT = Number(process.env['BENCH_ENDPOINTS'] ?? 100_000);
const CONNECTIONS = 16;
const ROUNDS = 7;
const ROUND_MS = 2_000;
const COLD_PAGES = 500;
const VISITED_PAGES = 10_000;
const UNKNOWN_PAGES = 10_000;
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

/**
 * Requests many pages once, and prints the memory of the site before and after these requests. Each request comes from a
 * different client address, because the site limits the unknown pages of each address per minute.
 */
async function visit(
  client: Client,
  site: Site,
  { name, paths, status }: { name: string; paths: readonly string[]; status: number },
): Promise<void> {
  const megabytes = readMegabytes(site.pid, 'VmRSS');
  await forEachAtOnce([...paths.entries()], CONNECTIONS, async ([index, path]) => {
    const received = await client.get(site.url + path, {
      'x-forwarded-for': `10.0.${index >> 8}.${index & 255}`,
    });
    if (received !== status) throw new Error(`${path} responded with ${received}.`);
  });
  console.log(
    `  ${formatNumber(paths.length)} ${name}: memory of the site ${formatNumber(megabytes)} MB before, ` +
      `${formatNumber(readMegabytes(site.pid, 'VmRSS'))} MB after`,
  );
}

/** Returns paths with ids in the format of endpoint ids. No endpoint has these ids. */
function createUnknownPaths(toPath: (id: string) => string): readonly string[] {
  return Array.from({ length: UNKNOWN_PAGES }, (_, index) => {
    const digits = String(index).padStart(4, '0');
    return toPath(`zzzzzz${digits.replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}`);
  });
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
      console.log('\nMemory:');
      const paths = endpoints.slice(COLD_PAGES, COLD_PAGES + VISITED_PAGES).map(toEndpointPath);
      await visit(client, site, { name: 'endpoint pages', paths, status: 200 });
      for (const [name, toUnknownPath] of [
        ['unknown endpoints', (id: string) => `/endpoint/unknown-${id}`],
        ['unknown providers', (id: string) => `/provider/${id}.example.com`],
      ] as const)
        await visit(client, site, { name, paths: createUnknownPaths(toUnknownPath), status: 404 });
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
