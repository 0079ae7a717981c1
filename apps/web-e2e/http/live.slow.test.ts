import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { readFigure, readVerdictText } from '../support/pages/page-text.ts';
import { createLiveWorld, type LiveWorld } from '../support/live-world.ts';
import { expectNoProcesses, findProcesses } from '../support/processes.ts';
import { startService, type RunningService } from '../support/service.ts';

const READY_MS = 240_000;
/**
 * Poll options to wait for the next run of the jobs. The jobs start once a minute, and probes of unknown host names
 * fail without delay.
 */
const NEXT_MINUTE = { timeout: 75_000, interval: 250 };
const STOP_MS = 60_000;
const OFFLINE = /no directory can be reached \([^)]+\); uptime and listings are not affected/g;

let world: LiveWorld;
let service: RunningService;

beforeEach(async () => {
  world = await createLiveWorld();
});
afterEach(async () => {
  await service.stop();
  await world.close();
});

/**
 * Reads all entries of the service log, which has one JSON object per line. The log contains both starts of the
 * service.
 */
function readLog(): Record<string, unknown>[] {
  return readFileSync(join(world.dataDir, 'logs', 'service.log'), 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const sumProbeJobs = (fieldName: string): number =>
  readLog()
    .filter(({ job }) => job === 'probe')
    .reduce((sum, run) => sum + Number(run[fieldName] ?? 0), 0);

/** Returns true if all three listed endpoints were probed, and a score job ran after the last probe. */
function areProbedAndScored(): boolean {
  const scored = readLog().findLastIndex(({ job }) => job === 'score');
  const probed = readLog().findLastIndex(({ job, recorded }) => job === 'probe' && Number(recorded) > 0);
  return sumProbeJobs('recorded') >= 3 && scored > probed;
}

/** Sends SIGINT and expects the service and all its processes to exit cleanly within seconds. */
async function interruptService(): Promise<void> {
  if (process.platform === 'linux') expect(findProcesses(world.dataDir).length).toBeGreaterThanOrEqual(3);
  const startedAt = performance.now();
  expect(await service.stop('SIGINT')).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(STOP_MS);
  if (process.platform === 'linux') await expectNoProcesses(world.dataDir);
}

/** Requests a page of the service. Throws if the status is not 200. */
async function readPage(path: string): Promise<string> {
  const response = await fetch(`${service.url}${path}`);
  if (response.status !== 200) throw new Error(`${path}: status ${response.status}`);
  return response.text();
}

it('waits for the network, connects to no private address, and scores no probe without a network', async () => {
  service = await startService(world.env, 'live');
  await service.waitForOutput('no directory can be reached', READY_MS);
  expect(service.output()).toContain('tried again in 30 seconds');
  expect(await readPage('/')).toContain('The first probes are running');

  await world.openDirectory();
  await service.waitForOutput('directories can be reached again', NEXT_MINUTE.timeout);
  const report = 'mine: 4 items read: 3 endpoints, 0 duplicates, 1 rejected';
  await service.waitForOutput(report, NEXT_MINUTE.timeout);
  expect(service.output().match(OFFLINE)).toHaveLength(1);

  const scored = () => readLog().some((run) => run['job'] === 'score' && Number(run['scored']) >= 3);
  await expect.poll(scored, NEXT_MINUTE).toBe(true);
  const { inside, legacy, current } = world.getListed();
  for (const [resource, price] of [
    [inside, '$0.004'],
    [legacy, '$0.0025'],
    [current, '$0.004'],
  ] as const) {
    const html = await readPage(toEndpointPath(resource));
    expect(readFigure(html, 'Price per call')).toContain(price);
    expect(readFigure(html, 'Network')).toContain('Base');
  }
  expect(readFigure(await readPage('/'), 'Endpoints monitored')).toBe('3');
  await interruptService();

  // The next start probes the due endpoints without a directory.
  await world.closeDirectory();
  await world.waitUntilDue();
  service = await startService(world.env, 'live');
  await expect.poll(areProbedAndScored, NEXT_MINUTE).toBe(true);
  for (const resource of [inside, legacy, current]) {
    const html = await readPage(toEndpointPath(resource));
    expect(readVerdictText(html)).toContain('Unverified');
    expect(html).toContain('No probe could be scored yet');
    expect(readFigure(html, 'Uptime, last 30 days')).toBe('no probe could be scored');
    expect(readFigure(html, 'Probes, last 30 days')).toBe('1');
    expect(readFigure(html, 'Error flags')).toBe('0');
    expect(readFigure(html, 'Directory')).toBe('Listed');
  }
  expect([sumProbeJobs('recorded'), sumProbeJobs('excluded')]).toEqual([3, 3]);

  // The private host was resolved like the others, but no connection was made to it.
  const hosts = [inside, legacy, current].map((resource) => new URL(resource).hostname);
  expect([...world.nameServer.requestedNames]).toEqual(expect.arrayContaining([...hosts, 'example.com']));
  expect(world.countPrivateConnections()).toBe(0);
  await interruptService();
});
