import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKeys, startEmbedded } from '@touchstone/embedded';
import { formatNumber, median, printTable, quantile } from './support/figures.ts';
import { createClaimGenerator } from './support/explore/claims.ts';
import { loadDays } from './support/pages/load-days.ts';
import { createClient, forEachAtOnce, measureRate, type Client } from './support/pages/load.ts';
import { startSite, type Site } from './support/pages/site.ts';
import { findFreePort, readCpuSeconds, readResidentMegabytes, stopProcess } from './support/processes.ts';
import { generateEndpoints, type GeneratedEndpoint } from './support/search/catalog.ts';
import { loadEndpoints } from './support/search/load.ts';

/**
 * Measures the pages of the built site with 100,000 endpoints in the embedded database: the rate of a cached endpoint
 * page against a static file of the same size from the same server, the first request of each page, revalidation, and
 * the memory of the site after many pages and after many unknown URLs.
 *
 * Run `npm run build` first, then `npm run bench:pages`. It takes about ten minutes; `BENCH_ENDPOINTS` sets another
 * number of endpoints. The database is a process of its own.
 */
const ENDPOINT_COUNT = Number(process.env['BENCH_ENDPOINTS'] ?? 100_000);
const CONNECTIONS = 16;
const ROUNDS = 8;
const ROUND_MS = 2_000;
const COLD_PAGES = 500;
const VISITED_PAGES = 10_000;
const UNKNOWN_PAGES = 10_000;
const TAGS_PER_CALL = 128;
/** Name of the temporary static file in the public folder. Next reads the list of these files at its start. */
const STATIC_NAME = 'bench-static.html';
const STATIC_FILE = fileURLToPath(new URL(`../apps/web/public/${STATIC_NAME}`, import.meta.url));

const toEndpointPath = ({ id }: GeneratedEndpoint): string => `/endpoint/e-${id}`;

/** Compares a cached page with the static file. Rounds alternate, so that other load affects both. */
async function compareWithStaticFile(client: Client, site: Site, path: string): Promise<void> {
  const rows: string[][] = [['', 'bytes sent', 'page per second', 'file per second', 'ratio']];
  for (const encoding of ['identity', 'gzip']) {
    const headers = { 'accept-encoding': encoding, accept: 'text/html' };
    const targets = [`${site.url}${path}`, `${site.url}/${STATIC_NAME}`] as const;
    const rates: [number[], number[]] = [[], []];
    const { bytes } = await client.get(targets[0], headers);
    for (let round = 0; round < ROUNDS; round += 1) {
      const order = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
      for (const index of order) {
        const rate = await measureRate(client, targets[index], {
          headers,
          atOnce: CONNECTIONS,
          ms: ROUND_MS,
        });
        // The first round warms up the compiler of the JavaScript engine.
        if (round > 0) rates[index].push(rate);
      }
    }
    const [page, file] = [median(rates[0]), median(rates[1])];
    rows.push([
      encoding,
      formatNumber(bytes),
      formatNumber(page),
      formatNumber(file),
      formatNumber(page / file, 2),
    ]);
  }
  console.log('\nCached endpoint page and static file of the same size:');
  printTable(rows);
}

/** Returns the times of requests, one after the other, in milliseconds. */
async function timeRequests(client: Client, site: Site, paths: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const path of paths) {
    const started = performance.now();
    const { status } = await client.get(site.url + path, { accept: 'text/html' });
    times.push(performance.now() - started);
    if (status !== 200) throw new Error(`${path} responded with ${status}.`);
  }
  return times;
}

async function measureFirstRequests(
  client: Client,
  site: Site,
  endpoints: readonly GeneratedEndpoint[],
): Promise<void> {
  const paths = endpoints.slice(0, COLD_PAGES).map(toEndpointPath);
  const row = (name: string, times: readonly number[]): string[] => [
    name,
    formatNumber(quantile(times, 0.5), 1),
    formatNumber(quantile(times, 0.95), 1),
  ];
  const first = await timeRequests(client, site, paths);
  const second = await timeRequests(client, site, paths);
  const later = await timeRequests(client, site, paths);
  const tags = endpoints.slice(0, TAGS_PER_CALL).map(({ id }) => `endpoint:${id}`);
  const started = performance.now();
  await site.revalidate(tags);
  const revalidatedMs = performance.now() - started;
  const again = await timeRequests(client, site, paths.slice(0, TAGS_PER_CALL));
  console.log(`\n${COLD_PAGES} endpoint pages, one request after the other:`);
  printTable([
    ['', 'p50 ms', 'p95 ms'],
    row('first request', first),
    row('second request, from the page cache', second),
    row('later request, from memory', later),
    row('after revalidation', again),
  ]);
  console.log(
    `  first request: ${formatNumber(median(first) / median(later), 1)} times a later one; ` +
      `revalidation of ${TAGS_PER_CALL} tags: ${formatNumber(revalidatedMs, 1)} ms`,
  );
}

/**
 * Requests many pages once, each from a client of its own, because a client may request few unknown pages per minute.
 * Prints the memory of the site and its CPU time per page.
 */
async function visit(
  client: Client,
  site: Site,
  { name, paths, status }: { name: string; paths: readonly string[]; status: number },
): Promise<void> {
  const [megabytes, cpuSeconds] = [readResidentMegabytes(site.pid), readCpuSeconds(site.pid)];
  const started = performance.now();
  const clients = paths.keys();
  await forEachAtOnce(paths, CONNECTIONS, async (path) => {
    const { value: index = 0 } = clients.next();
    const reply = await client.get(site.url + path, {
      'x-forwarded-for': `10.0.${index >> 8}.${index & 255}`,
    });
    if (reply.status !== status) throw new Error(`${path} responded with ${reply.status}.`);
  });
  const seconds = (performance.now() - started) / 1_000;
  const cpuMs = (1_000 * (readCpuSeconds(site.pid) - cpuSeconds)) / paths.length;
  console.log(
    `  ${formatNumber(paths.length)} ${name}: ${formatNumber(paths.length / seconds)} per second, ` +
      `${formatNumber(cpuMs, 1)} ms of CPU each, memory of the site ${formatNumber(megabytes)} MB before, ` +
      `${formatNumber(readResidentMegabytes(site.pid))} MB after`,
  );
}

function createUnknownPaths(
  endpoints: readonly GeneratedEndpoint[],
  toPath: (id: string) => string,
): readonly string[] {
  const known = new Set(endpoints.map(({ id }) => id));
  return Array.from({ length: UNKNOWN_PAGES }, (_, index) => {
    const digits = String(index)
      .padStart(4, '0')
      .replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
    return `zzzzzz${digits}`;
  })
    .filter((id) => !known.has(id))
    .map(toPath);
}

async function loadDatabase(dataDir: string, endpoints: readonly GeneratedEndpoint[]): Promise<void> {
  const database = await startEmbedded({ dataDir, keys: createKeys() });
  const { driver } = database.connection;
  await loadEndpoints((sql) => driver.exec(sql), endpoints, createClaimGenerator());
  await loadDays((sql) => driver.exec(sql), endpoints.slice(0, COLD_PAGES + VISITED_PAGES));
  await driver.exec('analyze');
  await database.close();
}

/** Starts the database as a process of its own. */
async function forkDatabase(dataDir: string, keys: ReturnType<typeof createKeys>) {
  const child: ChildProcess = fork(new URL('../libs/embedded/src/main.ts', import.meta.url), {
    env: {
      ...process.env,
      EMBEDDED_DATA_DIR: dataDir,
      EMBEDDED_PUBLISHABLE_KEY: keys.publishable,
      EMBEDDED_SECRET_KEY: keys.secret,
    },
  });
  // The cast is safe, because the entry point of the database sends this message first.
  const [ready] = (await once(child, 'message')) as [{ url: string }];
  return { url: ready.url, stop: () => stopProcess(child) };
}

async function measure(dataDir: string): Promise<void> {
  const endpoints = generateEndpoints(ENDPOINT_COUNT).filter(({ isPublic }) => isPublic);
  const keys = createKeys();
  console.log(`${formatNumber(ENDPOINT_COUNT)} endpoints are being stored …`);
  await loadDatabase(dataDir, endpoints);
  const database = await forkDatabase(dataDir, keys);
  const client = createClient(CONNECTIONS);
  const start = async (): Promise<Site> => startSite(database.url, keys, await findFreePort());
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
        await visit(client, site, { name, paths: createUnknownPaths(endpoints, toUnknownPath), status: 404 });
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
// The terminal also interrupts the database and the site.
process.once('SIGINT', () => {
  rmSync(STATIC_FILE, { force: true });
  removeFolder();
  process.exit(130);
});
await measure(join(folder, 'db')).finally(removeFolder);
