import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { endpointPath } from '../support/endpoint-path.ts';
import { figure } from '../support/figure.ts';
import { createLiveWorld, type LiveWorld } from '../support/live-world.ts';
import { processesOf } from '../support/processes.ts';
import { startService, type RunningService } from '../support/service.ts';

const READY_MS = 120_000;
/** The jobs run once a minute, and a name that is not there takes no time. */
const NEXT_MINUTE = { timeout: 75_000, intervals: [500] };
const STOP_MS = 10_000;
const OFFLINE = /no directory can be reached \([^)]+\); nothing is held against anybody/g;

let world: LiveWorld;
let service: RunningService;

test.describe.configure({ timeout: 300_000 });
test.beforeEach(async () => {
  world = await createLiveWorld();
});
test.afterEach(async () => {
  await service.stop();
  await world.close();
});

/** What the jobs of both starts logged, in order; the service writes one JSON object a line. */
function runs(): Record<string, unknown>[] {
  return readFileSync(join(world.dataDir, 'logs', 'service.log'), 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const sumOfSweeps = (figureName: string): number =>
  runs()
    .filter(({ job }) => job === 'sweep')
    .reduce((sum, run) => sum + Number(run[figureName] ?? 0), 0);

/** Whether everything that was listed has been probed, and scored after that. */
function areProbedAndScored(): boolean {
  const scored = runs().findLastIndex(({ job }) => job === 'score');
  const probed = runs().findLastIndex(({ job, recorded }) => job === 'sweep' && Number(recorded) > 0);
  return sumOfSweeps('recorded') >= 3 && scored > probed;
}

/** Ctrl-C: it ends within seconds and of its own will, and all its processes with it. */
async function interrupt(): Promise<void> {
  if (process.platform === 'linux') expect(processesOf(world.dataDir).length).toBeGreaterThanOrEqual(3);
  const startedAt = performance.now();
  expect(await service.stop('SIGINT')).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(STOP_MS);
  if (process.platform === 'linux') expect(processesOf(world.dataDir)).toEqual([]);
}

async function open(page: Page, resource: string): Promise<void> {
  const answer = await page.goto(`${service.url}${endpointPath(resource)}`);
  expect(answer?.status()).toBe(200);
}

/** What nothing is known of is neither down nor to be avoided. */
async function expectNothingHeldAgainst(page: Page, resource: string): Promise<void> {
  await open(page, resource);
  await expect(page.getByText('Unverified', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('No probe of it could be scored')).toBeVisible();
  await expect(figure(page, 'Uptime, last 30 days')).toHaveText('no probe could be scored');
  await expect(figure(page, 'Probes, last 30 days')).toHaveText('1');
  await expect(figure(page, 'Error flags')).toHaveText('0');
  await expect(figure(page, 'Directory')).toHaveText('Listed');
}

test('live waits for the network, dials nothing private, and blames nobody when it reaches nobody', async ({
  page,
}) => {
  service = await startService(world.env, 'live');

  await test.step('no network: one plain line, and the site is up', async () => {
    await service.printed('no directory can be reached', READY_MS);
    expect(service.output()).toContain('tried again in 30 seconds');
    const home = await page.goto(service.url);
    expect(home?.status()).toBe(200);
    await expect(figure(page, 'Endpoints catalogued')).toHaveText('0');
  });

  await test.step('the directory comes up: it is tried again and read', async () => {
    await world.openDirectory();
    await service.printed('there again', NEXT_MINUTE.timeout);
    await service.printed('mine: 4 items read: 3 endpoints, 0 duplicates, 1 rejected', NEXT_MINUTE.timeout);
    expect(service.output().match(OFFLINE)).toHaveLength(1);
  });

  await test.step('what it lists is catalogued and shown', async () => {
    const scored = () => runs().some((run) => run['job'] === 'score' && Number(run['scored']) >= 3);
    await expect.poll(scored, NEXT_MINUTE).toBe(true);
    const { inside, legacy, current } = world.listed();
    for (const [resource, price] of [
      [inside, '$0.004'],
      [legacy, '$0.0025'],
      [current, '$0.004'],
    ] as const) {
      await open(page, resource);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(resource);
      await expect(figure(page, 'Advertised price')).toContainText(price);
      await expect(figure(page, 'Network')).toContainText('Base');
    }
    await page.goto(service.url);
    await expect(figure(page, 'Endpoints catalogued')).toHaveText('3');
  });

  await test.step('Ctrl-C ends it', interrupt);

  await test.step('the next start goes on with the data alone, and probes what fell due meanwhile', async () => {
    await world.closeDirectory();
    await world.due();
    service = await startService(world.env, 'live');
    await expect.poll(areProbedAndScored, NEXT_MINUTE).toBe(true);
    const { inside, legacy, current } = world.listed();
    for (const resource of [inside, legacy, current]) await expectNothingHeldAgainst(page, resource);
    expect(sumOfSweeps('recorded')).toBe(3);
    expect(sumOfSweeps('excluded')).toBe(3);
  });

  await test.step('no private address was dialled, though its name was looked up as the others were', async () => {
    const { inside, legacy, current } = world.listed();
    const hosts = [inside, legacy, current].map((resource) => new URL(resource).hostname);
    expect([...world.names.asked]).toEqual(expect.arrayContaining([...hosts, 'example.com']));
    expect(world.dialled()).toBe(0);
    await interrupt();
  });
});
