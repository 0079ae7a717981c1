import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { figure } from '../support/pages/figure.ts';
import { createLiveWorld, type LiveWorld } from '../support/live-world.ts';
import { expectNoProcesses, findProcesses } from '../support/processes.ts';
import { startService, type RunningService } from '../support/service.ts';

const READY_MS = 240_000;
/**
 * Poll options to wait for the next run of the jobs. The jobs start once a minute, and probes of unknown host names
 * fail without delay.
 */
const NEXT_MINUTE = { timeout: 75_000, intervals: [500] };
const STOP_MS = 60_000;
const OFFLINE = /no directory can be reached \([^)]+\); uptime and listings are not affected/g;

let world: LiveWorld;
let service: RunningService;

test.describe.configure({ timeout: 600_000 });
test.beforeEach(async () => {
  world = await createLiveWorld();
});
test.afterEach(async () => {
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

async function openPage(page: Page, resource: string): Promise<void> {
  const response = await page.goto(`${service.url}${toEndpointPath(resource)}`);
  expect(response?.status()).toBe(200);
}

/**
 * Expects the page of an endpoint whose only probe could not be scored. It must be unverified, without uptime and
 * without error flags.
 */
async function expectUnverified(page: Page, resource: string): Promise<void> {
  await openPage(page, resource);
  await expect(page.getByText('Unverified', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('No probe could be scored yet')).toBeVisible();
  await expect(figure(page, 'Uptime, last 30 days')).toHaveText('no probe could be scored');
  await expect(figure(page, 'Probes, last 30 days')).toHaveText('1');
  await expect(figure(page, 'Error flags')).toHaveText('0');
  await expect(figure(page, 'Directory')).toHaveText('Listed');
}

test('live mode waits for the network, connects to no private address, and scores no probe without a network', async ({
  page,
}) => {
  service = await startService(world.env, 'live');

  await test.step('without a network, it prints one line and serves the site', async () => {
    await service.waitForOutput('no directory can be reached', READY_MS);
    expect(service.output()).toContain('tried again in 30 seconds');
    const home = await page.goto(service.url);
    expect(home?.status()).toBe(200);
    await expect(page.getByText('The first probes are running')).toBeVisible();
  });

  await test.step('it retries the directory and reads it', async () => {
    await world.openDirectory();
    await service.waitForOutput('directories can be reached again', NEXT_MINUTE.timeout);
    await service.waitForOutput(
      'mine: 4 items read: 3 endpoints, 0 duplicates, 1 rejected',
      NEXT_MINUTE.timeout,
    );
    expect(service.output().match(OFFLINE)).toHaveLength(1);
  });

  await test.step('it catalogs and shows the listed endpoints', async () => {
    const scored = () => readLog().some((run) => run['job'] === 'score' && Number(run['scored']) >= 3);
    await expect.poll(scored, NEXT_MINUTE).toBe(true);
    const { inside, legacy, current } = world.getListed();
    for (const [resource, price] of [
      [inside, '$0.004'],
      [legacy, '$0.0025'],
      [current, '$0.004'],
    ] as const) {
      await openPage(page, resource);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(resource);
      await expect(figure(page, 'Price per call')).toContainText(price);
      await expect(figure(page, 'Network')).toContainText('Base');
    }
    await page.goto(service.url);
    await expect(figure(page, 'Endpoints monitored')).toHaveText('3');
  });

  await test.step('SIGINT stops it', interruptService);

  await test.step('the next start probes the due endpoints without a directory', async () => {
    await world.closeDirectory();
    await world.waitUntilDue();
    service = await startService(world.env, 'live');
    await expect.poll(areProbedAndScored, NEXT_MINUTE).toBe(true);
    const { inside, legacy, current } = world.getListed();
    for (const resource of [inside, legacy, current]) await expectUnverified(page, resource);
    expect(sumProbeJobs('recorded')).toBe(3);
    expect(sumProbeJobs('excluded')).toBe(3);
  });

  await test.step('it resolved the private host like the others but did not connect to it', async () => {
    const { inside, legacy, current } = world.getListed();
    const hosts = [inside, legacy, current].map((resource) => new URL(resource).hostname);
    expect([...world.nameServer.requestedNames]).toEqual(expect.arrayContaining([...hosts, 'example.com']));
    expect(world.countPrivateConnections()).toBe(0);
    await interruptService();
  });
});
