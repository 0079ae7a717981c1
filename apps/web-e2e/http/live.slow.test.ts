import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalize, computeProbeOffsetSeconds } from '@touchstone/catalog';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { readFigure, readVerdictText } from '../support/pages/page-text.ts';
import { expectNoProcesses, findProcesses } from '../support/processes.ts';
import { findFreePort, startService, type RunningService } from '../support/service.ts';

const READY_MS = 240_000;
/** Maximum time until the next run of the jobs, which start once a minute. */
const NEXT_MINUTE = { timeout: 150_000, interval: 250 };
/** Interval between two scheduled probes of an endpoint, in seconds. */
const INTERVAL_SECONDS = 1_800;
/** Time from the first request to the directory until the listed endpoint is due, in milliseconds. */
const DUE_MS = 6_000;
const HOST = 'quotes.touchstone-live.example';
const TERMS = {
  ...{ scheme: 'exact', network: 'eip155:8453', amount: '4000', maxTimeoutSeconds: 60 },
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x1111111111111111111111111111111111111111',
  extra: { name: 'USD Coin', version: '2' },
};

/** Queries that the name server received. The name server resolves no name. */
const queries: string[] = [];
const names = createSocket('udp4').on('message', (query, { port, address }) => {
  queries.push(query.toString('latin1'));
  const response = Buffer.from(query);
  // DNS flags of a response with recursion and the code NXDOMAIN (RFC 1035, section 4.1.1).
  response.writeUInt16BE(0x8183, 2);
  names.send(response, port, address);
});
let resource = '';
const directory = createServer((_, response) => {
  if (resource === '') resource = findDueResource();
  const items = [{ type: 'http', resource, x402Version: 2, accepts: [TERMS] }];
  const pagination = { limit: 100, offset: 0, total: items.length };
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ x402Version: 2, items, pagination }));
});
let dataDir: string;
let port: number;
let service: RunningService;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-live-'));
  port = await findFreePort();
  names.bind(0, '127.0.0.1');
  await once(names, 'listening');
  service = await startLive();
});
afterAll(async () => {
  await service.stop();
  directory.closeAllConnections();
  directory.close();
  names.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const startLive = (): Promise<RunningService> =>
  startService(
    {
      DATA_DIR: dataDir,
      DIRECTORIES: `mine=http://127.0.0.1:${port}`,
      NAME_SERVERS: `127.0.0.1:${names.address().port}`,
    },
    'live',
  );

/** Sends SIGINT and expects the service and all its processes to end. */
async function interruptService(): Promise<void> {
  if (process.platform === 'linux') expect(findProcesses(dataDir).length).toBeGreaterThanOrEqual(3);
  expect(await service.stop('SIGINT')).toBe(0);
  if (process.platform === 'linux') await expectNoProcesses(dataDir);
}

/**
 * Finds a URL whose next scheduled probe is two to six seconds away. The probe times depend on the id of the endpoint,
 * and the id is computed from the URL. The service has two seconds to read the directory.
 */
function findDueResource(): string {
  const from = Date.now() / 1_000 + 2;
  for (let number = 1; ; number += 1) {
    const candidate = canonicalize(`https://${HOST}/v1/quotes/${number}`);
    if (!candidate.ok) throw new Error(candidate.reason);
    const offset = computeProbeOffsetSeconds(candidate.id, INTERVAL_SECONDS);
    if ((((offset - from) % INTERVAL_SECONDS) + INTERVAL_SECONDS) % INTERVAL_SECONDS < 4)
      return candidate.resource;
  }
}

const readPage = async (path: string): Promise<string> => (await fetch(`${service.url}${path}`)).text();

it('waits for the network, lists an endpoint, and after a restart scores no probe without a network', async () => {
  await service.waitForOutput('no directory can be reached', READY_MS);
  expect(service.output()).toContain('tried again in 30 seconds');
  expect(await readPage('/')).toContain('The first probes are running');

  directory.listen(port, '127.0.0.1');
  await service.waitForOutput('mine: 1 item read: 1 endpoint,', NEXT_MINUTE.timeout);
  await interruptService();

  // The endpoint is due at the next start, and is probed although the directory is offline.
  directory.closeAllConnections();
  directory.close();
  await sleep(DUE_MS);
  service = await startLive();
  const read = () => readPage(toEndpointPath(resource));
  const readProbes = async () => readFigure(await read(), 'Probes, ');
  await expect.poll(readProbes, NEXT_MINUTE).toBe('1');
  const html = await read();
  expect(readVerdictText(html)).toContain('Unverified No probe could be scored in the last 30 days');
  expect(readFigure(html, 'Price per call')).toContain('$0.004');
  expect(readFigure(html, 'Error flags')).toBe('0');
  // The configured name servers must have received both names: the host of the endpoint, and the name with which the
  // service tests its network.
  for (const name of ['touchstone-live', 'example\u0003com'])
    expect(queries.some((query) => query.includes(name))).toBe(true);
  await interruptService();
});
