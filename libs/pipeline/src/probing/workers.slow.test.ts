import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { beforeAll, describe, expect, it } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { maintain } from '../maintenance/maintain.ts';
import { scoreChanged } from '../scoring/score-changed.ts';
import { createActiveWatch, useWatchWorld } from '../testing/watch-world.ts';
import { readClock, type ClockSettings } from '../testing/workers/clock.ts';
import * as log from '../testing/workers/lease-log.ts';
import type { WorkerMessage, WorkerSettings } from '../testing/workers/run-worker.ts';
import { startWorker, startWorkerProcess, type WorkerProcess } from '../testing/workers/workers.ts';
import { challenge, item } from '../testing/world.ts';
import { claimAndProbe } from './probe-due.ts';
import { recheckMisses } from './recheck-misses.ts';

/** The embedded database has one connection, so the workers need PostgreSQL. */
const isEmbedded = (process.env['TEST_POSTGRES'] ?? '') === '';
/** Shortly before the end of a day, so that the workers also record into a new partition. */
const START = Date.UTC(2027, 0, 1, 23, 57);
const [LISTED, ADDED, HOSTS, WATCHED] = [200, 40, 24, 20];
/**
 * Seconds of the clock of the workers per real second. A lease of 30 seconds then ends after 0.6 seconds. A call that
 * reaches the database six seconds late would look like a clock that was set back five minutes.
 */
const SPEED = 50;
const LEASE_SECONDS = 30;
/** Duration of a slow response, in milliseconds. It is longer than a lease. */
const SLOW_MS = 1000;
const STEPS = 13;
const STEP_MS = 300;
/** Steps in which a worker is killed, suspended and resumed. */
const [KILL_STEP, SUSPEND_STEPS, RESUME_STEPS] = [4, [1, 7], [5, 11]];
const POLL = { timeout: 30_000, interval: 5 };
const PROBING = ['probe', 'recheck'];

// All endpoints are due half an hour later.
const world = useWatchWorld({ isShared: true, toStart: () => START - HOUR_MS / 2 });
let requests = 0;
/** False after the workers have stopped. */
let isSlow = true;
/** Price of the endpoints that change their price. */
let price = 10_000;

const isEveryThird = (): boolean => (requests += 1) % 3 === 0;
const handlers: readonly ((response: ServerResponse, url: string) => void)[] = [
  challenge,
  (response, url) => challenge(response, url, { amount: String(price) }),
  (response, url) => (isEveryThird() ? response.writeHead(503).end() : challenge(response, url)),
  (response, url) => void setTimeout(() => challenge(response, url), isSlow && isEveryThird() ? SLOW_MS : 0),
];
const resources = Array.from(
  { length: LISTED + ADDED },
  (_, index) => `http://h${index % HOSTS}.example.com/${index}`,
);

/** Returns the items of the directories: endpoints are added, and a tenth of the descriptions change in each step. */
const listItems = (step: number): unknown[] =>
  resources
    .slice(0, LISTED + Math.min(ADDED, step * 10))
    .map((resource, index) =>
      item(resource, index % 10 === step % 10 ? { description: `Weather, edition ${step}` } : {}),
    );

beforeAll(async () => {
  for (const [index, resource] of resources.entries()) {
    const handler = handlers[index % handlers.length];
    if (handler) world.handlers.set(new URL(resource).pathname, handler);
  }
  world.items = listItems(0);
  await discover(world.context);
  const watched = resources.slice(0, WATCHED);
  await Promise.all(watched.map((resource) => createActiveWatch(world.watchContext, resource, {})));
  await log.startLeaseLog(world.database.connection.driver);
});

/** Adds a partition that is older than the retention period. The job `maintain` drops it. */
const addOldPartition = (step: number): Promise<unknown> => {
  const day = new Date(START - (100 + step) * DAY_MS).toISOString().slice(0, 10);
  return world.database.connection.driver.query(
    `select public.maintain_observation_partitions('${day}', '${day}')`,
  );
};

const createSettings = (clock: ClockSettings, number: number): WorkerSettings => ({
  databaseUrl: world.database.url,
  databaseKey: world.keys.secret,
  directoryUrl: world.context.directories[0]?.url ?? '',
  // Two workers read each directory, and both directories list the same endpoints.
  directory: `directory ${number % 2}`,
  clock,
  number,
  limits: { batchSize: 40, inFlight: 16, leaseSeconds: LEASE_SECONDS, sliceSize: 10 },
});

/** Waits until a worker holds leases. */
const waitForLeases = ({ owner }: WorkerProcess): Promise<void> =>
  expect
    .poll(
      () =>
        log.count(world.database.connection.driver, `select 1 from public.leases where owner = '${owner}'`),
      POLL,
    )
    .toBeGreaterThan(0);

/**
 * Runs four workers, two of them in their own processes. Kills one process while it holds leases, and suspends the other
 * one until its leases have expired. No worker runs afterwards, also when a check fails.
 *
 * @returns the messages of all workers
 */
async function runWorkers(clock: ClockSettings): Promise<readonly WorkerMessage[]> {
  const killed = startWorkerProcess(createSettings(clock, 0));
  const suspended = startWorkerProcess(createSettings(clock, 1));
  const local = [2, 3].map((number) => startWorker(createSettings(clock, number)));
  const workers = [killed, suspended, ...local];
  try {
    await waitForLeases(killed);
    await waitForLeases(suspended);
    for (let step = 0; step < STEPS; step += 1) {
      world.items = listItems(step);
      price += 1000;
      await addOldPartition(step);
      await sleep(STEP_MS);
      if (step === KILL_STEP) {
        await waitForLeases(killed);
        await killed.kill();
      }
      if (SUSPEND_STEPS.includes(step)) {
        await waitForLeases(suspended);
        suspended.suspend();
      }
      if (RESUME_STEPS.includes(step)) suspended.resume();
    }
    await Promise.all(workers.map((worker) => worker.stop()));
    return workers.flatMap(({ messages }) => messages);
  } finally {
    await Promise.all([killed.kill(), suspended.kill(), ...local.map((worker) => worker.stop())]);
  }
}

/** Probes, scores and drops old partitions as a fifth worker, until nothing is due. */
async function finish(clock: ClockSettings): Promise<void> {
  isSlow = false;
  world.time = readClock(clock, 4) + HOUR_MS / 2;
  const context = { ...world.context, owner: 'worker-4' };
  for (let claimed = 1; claimed > 0;)
    claimed = (await claimAndProbe(context)).claimed + (await recheckMisses(context)).claimed;
  world.time += HOUR_MS;
  await scoreChanged(context);
  await maintain(context);
}

/** Returns the sum of a figure over the runs of some jobs. */
const sum = (messages: readonly WorkerMessage[], jobs: readonly string[], key: string): number =>
  messages.reduce(
    (total, message) =>
      total + ('summary' in message && jobs.includes(message.job) ? Number(message.summary[key]) : 0),
    0,
  );

describe.skipIf(isEmbedded)('four workers with all jobs', () => {
  it('record each slot once while leases expire and workers are killed and suspended', async () => {
    const { driver } = world.database.connection;
    const clock = { start: START, realStart: Date.now(), speed: SPEED };
    const messages = await runWorkers(clock);
    await finish(clock);

    expect(messages.filter((message) => 'error' in message)).toEqual([]);
    expect(await log.select(driver, log.UNEVEN_SLOTS)).toEqual([]);
    expect(await log.select(driver, log.FOREIGN_OBSERVATIONS)).toEqual([]);
    expect(await log.select(driver, log.WRONG_ROLLUPS)).toEqual([]);
    expect(await log.select(driver, log.OLD_SNAPSHOTS)).toEqual([]);
    expect(await log.select(driver, log.WRONG_WATCH_LOGS)).toEqual([]);
    expect(await log.select(driver, log.OLD_PARTITIONS)).toEqual([]);
    expect(await log.select(driver, "select * from public.leases where owner <> ''")).toEqual([]);
    expect(await log.count(driver, 'select distinct endpoint_id from public.observations')).toBe(
      resources.length,
    );

    // The workers have competed for slots, late results were refused, and partitions were dropped.
    expect(await log.count(driver, 'select 1 from race.slots where owners > 1')).toBeGreaterThan(0);
    expect(sum(messages, PROBING, 'dropped')).toBeGreaterThan(0);
    expect(sum(messages, ['recheck'], 'recorded')).toBeGreaterThan(0);
    expect(sum(messages, ['maintain'], 'dropped')).toBeGreaterThan(0);
    expect(
      await log.count(driver, "select 1 from public.watch_log where type = 'price_change'"),
    ).toBeGreaterThan(0);
    expect(await log.countDeadlocks(driver)).toBe(0);
  });
});
