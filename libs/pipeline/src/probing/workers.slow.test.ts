import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { beforeAll, describe, expect, it } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { JOB } from '../jobs.ts';
import { maintain } from '../maintenance/maintain.ts';
import { scoreChanged } from '../scoring/score-changed.ts';
import { createStop } from '../testing/stop.ts';
import { challenge, item, useWorld } from '../testing/world.ts';
import { createHostRateLimiter } from '../host-rate-limiter.ts';
import { claimAndProbe, DEFAULT_BATCH_LIMITS, probeDue, recheckMisses } from './probe-due.ts';

/** True if the tests use the embedded database, which has only one connection. The workers need PostgreSQL. */
const isEmbedded = (process.env['TEST_POSTGRES'] ?? '') === '';
/** Start time, shortly before the end of a day. The workers then also record into the partition of the next day. */
const START = Date.UTC(2027, 0, 1, 23, 57);
const [LISTED, ADDED, HOSTS] = [200, 40, 24];
/** Number of observations of each past day. */
const PAST = 5000;
/**
 * Seconds by which the clock of the workers advances per real second. A lease of 30 seconds then ends after 0.6
 * seconds.
 */
const SPEED = 50;
const LIMITS = { ...DEFAULT_BATCH_LIMITS, batchSize: 40, inFlight: 16, leaseSeconds: 30, sliceSize: 10 };
/** Duration of a slow response, in milliseconds. It is longer than a lease. */
const SLOW_MS = 1000;
/** Pause between two runs of a job, and duration of a step of the test, in milliseconds. */
const [PAUSE_MS, STEP_MS] = [20, 300];
/**
 * Minimum and maximum number of steps. The test ends after the minimum if everything that it tests has happened. A slow
 * computer needs more steps.
 */
const [MIN_STEPS, MAX_STEPS] = [13, 150];
/** Steps in which a worker ends, is suspended and is resumed. */
const [END_STEP, SUSPEND_STEPS, RESUME_STEPS] = [4, [1, 7], [5, 11]];

// The world starts half an hour before `START`, so all endpoints are due at `START`.
const world = useWorld({ isShared: true, toStart: () => START - HOUR_MS / 2 });
let requests = 0;
/** True if some endpoints respond slowly; false after the workers have stopped. */
let isSlow = true;
/** Price of the endpoints that change their price. */
let price = 10_000;
const stopping = new AbortController();
const summaries: { readonly job: string; readonly counts: Readonly<Record<string, unknown>> }[] = [];

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

/** Logs each claim of a lease, and each deletion of a lease with the reason. */
const LEASE_LOG = `
  create table public.lease_log (endpoint_id text collate "C", slot_at timestamptz, is_recheck boolean, owner text, recorded boolean);
  create function public.log_lease() returns trigger language plpgsql security definer as $$
  declare
    l public.leases := coalesce(new, old);
  begin
    insert into public.lease_log values (
      l.endpoint_id, l.slot_at, l.is_recheck, l.owner, tg_op = 'DELETE' and current_query() like '%record_observations%'
    );
    return null;
  end $$;
  create trigger log_lease after insert or delete or update of owner on public.leases
  for each row execute function public.log_lease();`;
const SLOTS = `(
  select endpoint_id, slot_at, bool_or(is_recheck) as is_recheck, count(*) filter (where recorded) as recorded,
    count(distinct owner) filter (where owner <> '') as owners
  from public.lease_log group by 1, 2
)`;
/** Rows that must not exist after all workers have ended. */
const WRONG_ROWS = {
  'slots that were recorded twice, or neither recorded nor replaced by a later slot': `
    ${SLOTS} s where s.recorded > 1 or s.recorded = 0 and not s.is_recheck and not exists (
      select 1 from ${SLOTS} o where o.endpoint_id = s.endpoint_id and o.slot_at > s.slot_at and o.recorded = 1
    )`,
  'endpoints with more or fewer observations than recorded slots': `
    (select endpoint_id, sum(recorded) as slots from ${SLOTS} s group by 1) s
    full join (select endpoint_id, count(*) as observations from public.observations group by 1) o using (endpoint_id)
    where s.slots is distinct from o.observations`,
  'days whose figures differ from their observations': `
    (select endpoint_id, day, probes, rechecks, up from public.daily_rollups where probes + rechecks > 0) d
    full join (
      select endpoint_id, (at at time zone 'UTC')::date as day, count(*) filter (where not is_recheck) as probes,
        count(*) filter (where is_recheck) as rechecks,
        count(*) filter (where not is_recheck and not excluded and vitality = 1) as up
      from public.observations group by 1, 2
    ) o using (endpoint_id, day)
    where (d.probes, d.rechecks, d.up) is distinct from (o.probes, o.rechecks, o.up)`,
  'snapshots of an earlier observation or text': `
    public.endpoints e join public.endpoint_states s on s.endpoint_id = e.id
    left join public.snapshots n on n.endpoint_id = e.id
    where n.last_probed_at is distinct from s.last_probed_at or n.description is distinct from e.description`,
  'endpoints that wait for a score': 'public.scoring_queue',
  'held leases': "public.leases where owner <> ''",
  'unpacked days': "pg_class where relname like 'observations_2%' and relname < 'observations_20270101'",
  'observations that were packed twice': `(
    select 1 from public.packed_observations group by day, endpoint_id having count(*) > 1
  ) p`,
};

async function count(from: string): Promise<number | undefined> {
  const { driver } = world.database.connection;
  const { rows } = await driver.query<{ n: number }>(`select count(*)::integer as n from ${from}`);
  return rows[0]?.n;
}

/** Adds observations of a past day. The job `maintain` packs them. */
const addPastDay = (step: number): Promise<unknown> => {
  const day = new Date(START - (10 + step) * DAY_MS).toISOString().slice(0, 10);
  return world.database.connection.driver.exec(`
    begin;
    select public.create_observation_partitions('${day}', '${day}');
    insert into public.observations (endpoint_id, at, outcome)
    select 'past' || n, '${day}T12:00:00Z', 'free' from generate_series(1, ${PAST}) n;
    commit`);
};

/** Runs all jobs again and again, several at the same time as in the service, until all workers are stopped. */
async function runWorker(number: number, now: () => number, fetchFromDatabase = fetch): Promise<void> {
  const context = {
    ...world.context,
    ...{ db: world.connect(fetchFromDatabase), owner: `worker-${number}`, now },
    rateLimiter: createHostRateLimiter({ perHostPerSecond: 1000 }),
    // Two workers read each directory, and both directories list the same endpoints.
    directories: world.context.directories.map(({ url }) => ({ name: `directory ${number % 2}`, url })),
  };
  const { probe, recheck, score, ...others } = JOB;
  const probing: typeof probe = { ...probe, run: (worker) => probeDue(worker, LIMITS) };
  await Promise.all(
    [[probing], [recheck], [score], Object.values(others)].map(async (jobs) => {
      while (!stopping.signal.aborted)
        for (const { id, run } of jobs) {
          summaries.push({ job: id, counts: { ...(await run(context)) } });
          await sleep(PAUSE_MS);
        }
    }),
  );
}

/** Waits until a worker holds leases. */
const waitForLeases = (number: number): Promise<void> =>
  expect
    .poll(() => count(`public.leases where owner = 'worker-${number}'`), { timeout: 30_000, interval: 5 })
    .toBeGreaterThan(0);

/** Returns the sum of a figure over the runs of some jobs. */
const sum = (jobs: readonly string[], name: string): number =>
  summaries.reduce((total, { job, counts }) => total + (jobs.includes(job) ? Number(counts[name]) : 0), 0);

/** Counts the events that must happen before the workers stop, so that the test proves something. */
const countSeen = async (): Promise<Readonly<Record<string, number | undefined>>> => ({
  'listed endpoints': await count('public.endpoints'),
  'slots that two workers claimed': await count(`${SLOTS} s where owners > 1`),
  'late results that were refused': sum(['probe', 'recheck'], 'dropped'),
  'recorded rechecks': sum(['recheck'], 'recorded'),
  'packed days of endpoints': sum(['maintain'], 'packed'),
});

const hasSeenAll = async (): Promise<boolean> => {
  const { 'listed endpoints': listed, ...others } = await countSeen();
  return listed === resources.length && Object.values(others).every((seen) => Number(seen) > 0);
};

/** Runs four workers. One ends while it holds leases, and one is suspended until its leases have expired. */
async function runWorkers(now: () => number): Promise<void> {
  const { wrap, stop } = createStop();
  let resumed = Promise.withResolvers<undefined>();
  resumed.resolve(undefined);
  const fetchWhenResumed: typeof fetch = (...request) => resumed.promise.then(() => fetch(...request));
  void runWorker(0, now, wrap(fetch));
  const workers = [runWorker(1, now, fetchWhenResumed), runWorker(2, now), runWorker(3, now)];
  try {
    for (let step = 0; step < MIN_STEPS || (step < MAX_STEPS && !(await hasSeenAll())); step += 1) {
      world.items = listItems(step);
      price += 1000;
      if (step < MIN_STEPS) await addPastDay(step);
      await Promise.race([sleep(STEP_MS), ...workers]);
      if (step === END_STEP) await waitForLeases(0).then(stop);
      if (SUSPEND_STEPS.includes(step)) {
        await waitForLeases(1);
        resumed = Promise.withResolvers();
      }
      if (RESUME_STEPS.includes(step)) resumed.resolve(undefined);
    }
  } finally {
    stop();
    stopping.abort();
    resumed.resolve(undefined);
  }
  await Promise.all(workers);
}

/** Probes, scores and packs past days as a fifth worker, until nothing is due. */
async function finish(): Promise<void> {
  isSlow = false;
  const context = { ...world.context, owner: 'worker-4' };
  for (let claimed = 1; claimed > 0;)
    claimed = (await claimAndProbe(context)).claimed + (await recheckMisses(context)).claimed;
  world.time += HOUR_MS;
  await scoreChanged(context, { includesWaiting: true });
  await maintain(context);
}

beforeAll(async () => {
  for (const [index, resource] of resources.entries()) {
    const handler = handlers[index % handlers.length];
    if (handler) world.handlers.set(new URL(resource).pathname, handler);
  }
  world.items = listItems(0);
  await discover(world.context);
  await world.database.connection.driver.exec(LEASE_LOG);
});

describe.skipIf(isEmbedded)('four workers with all jobs', () => {
  // A second attempt would find the rows and the stopped workers of the first attempt.
  it(
    'record each slot once while leases expire and workers end and are suspended',
    { retry: 0 },
    async () => {
      const realStart = Date.now();
      const now = (): number => START + (Date.now() - realStart) * SPEED;
      await runWorkers(now);
      world.time = now() + HOUR_MS / 2;
      await finish();

      const found = await Promise.all(Object.values(WRONG_ROWS).map(count));
      expect(Object.keys(WRONG_ROWS).map((name, index) => [name, found[index]])).toEqual(
        Object.keys(WRONG_ROWS).map((name) => [name, 0]),
      );
      expect(await count('public.packed_observations')).toBe(MIN_STEPS * PAST);
      expect(await count('(select distinct endpoint_id from public.observations) o')).toBe(resources.length);
      expect(await hasSeenAll(), JSON.stringify(await countSeen())).toBe(true);
    },
  );
});
