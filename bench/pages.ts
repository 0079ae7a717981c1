import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKeys, startEmbedded } from '@touchstone/embedded';
import { generateEndpoints, loadDays, loadEndpoints, type GeneratedEndpoint } from './support/endpoints.ts';
import { formatNumber, formatQuantiles, measureRounds, median, printTable, time } from './support/figures.ts';
import {
  createClient,
  forkDatabase,
  measureRate,
  startSite,
  type Client,
  type Site,
} from './support/site.ts';

/**
 * Measures the pages of the built site with 100,000 endpoints in the embedded database: the rate of a cached endpoint
 * page against a static file of the same size from the same server, and the first and later requests of each page.
 *
 * Run `npm run build` first, then `npm run bench:pages`. It takes a few minutes. `BENCH_ENDPOINTS` sets another number
 * of endpoints. The database is a process of its own.
 */
const ENDPOINT_COUNT = Number(process.env['BENCH_ENDPOINTS'] ?? 100_000);
const CONNECTIONS = 16;
const ROUNDS = 7;
const ROUND_MS = 2_000;
const COLD_PAGES = 500;
/** Name of the temporary static file in the public folder. Next reads the list of these files at its start. */
const STATIC_NAME = 'bench-static.html';
const STATIC_FILE = fileURLToPath(new URL(`../apps/web/public/${STATIC_NAME}`, import.meta.url));

const toEndpointPath = ({ id }: GeneratedEndpoint): string => `/endpoint/e-${id}`;

/** Compares a cached page with the static file. Rounds alternate, so that other load affects both. */
async function compareWithStaticFile(client: Client, site: Site, path: string): Promise<void> {
  const headers = { 'accept-encoding': 'gzip', accept: 'text/html' };
  const { bytes } = await client.get(site.url + path, headers);
  const subjects = Object.entries({ page: path, file: `/${STATIC_NAME}` }).map(([name, target]) => ({
    name,
    measure: () => measureRate(client, site.url + target, { headers, atOnce: CONNECTIONS, ms: ROUND_MS }),
  }));
  const rates = await measureRounds(subjects, { warmUp: 1, measured: ROUNDS });
  const [page, file] = [median(rates.get('page') ?? []), median(rates.get('file') ?? [])];
  console.log(
    `\nCached endpoint page of ${formatNumber(bytes)} bytes with gzip: ${formatNumber(page)} per second. ` +
      `Static file of the same size: ${formatNumber(file)} per second. Ratio: ${formatNumber(page / file, 2)}`,
  );
}

/** Returns the times of requests, one after the other, in milliseconds. */
async function timeRequests(client: Client, site: Site, paths: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const path of paths) {
    times.push(
      await time(async () => {
        const { status } = await client.get(site.url + path, { accept: 'text/html' });
        if (status !== 200) throw new Error(`${path} responded with ${status}.`);
      }),
    );
  }
  return times;
}

async function measureFirstRequests(client: Client, site: Site, paths: readonly string[]): Promise<void> {
  const rows: (readonly string[])[] = [['', 'p50 ms', 'p95 ms']];
  for (const name of ['first request', 'second request, from the page cache', 'later request, from memory'])
    rows.push([name, ...formatQuantiles(await timeRequests(client, site, paths), [0.5, 0.95])]);
  console.log(`\n${paths.length} endpoint pages, one request after the other:`);
  printTable(rows);
}

async function loadDatabase(dataDir: string, endpoints: readonly GeneratedEndpoint[]): Promise<void> {
  const database = await startEmbedded({ dataDir, keys: createKeys() });
  const { driver } = database.connection;
  await loadEndpoints((sql) => driver.exec(sql), endpoints);
  await loadDays((sql) => driver.exec(sql), endpoints.slice(0, COLD_PAGES));
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
      await measureFirstRequests(client, site, endpoints.slice(0, COLD_PAGES).map(toEndpointPath));
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
