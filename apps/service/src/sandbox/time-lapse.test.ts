import { setTimeout as sleep } from 'node:timers/promises';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import type { PipelineContext } from '@touchstone/pipeline';
import type { Probe } from '@touchstone/probe';
import { connect, type Db } from '@touchstone/store';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SandboxControl } from './start-sandbox.ts';
import { runTimeLapse } from './time-lapse.ts';

const STEP_MS = 30 * 60_000;
const STEPS = 8;
/** Start of the simulated time. The additional half step ensures that no further step becomes due during the test. */
const EPOCH = Date.now() - (STEPS + 0.5) * STEP_MS;
/** Real time after which the slow endpoint responds, in milliseconds. Some later steps run during this time. */
const SLOW_MS = 250;

/**
 * Number of interrupted time-lapses. The first two are fixed examples. For a longer test: `TIME_LAPSE_RUNS=20 npx
 * vitest run --project service time-lapse`.
 */
const RUNS = Number(process.env['TIME_LAPSE_RUNS'] ?? 2);

const keys = createKeys();
const toItem = (name: string) => ({
  resource: `https://${name}.sandbox.test/`,
  type: 'http',
  x402Version: 2,
  description: 'Weather by city',
  accepts: [],
});

async function probe(url: string): Promise<Probe> {
  if (url.includes('slow')) await sleep(SLOW_MS);
  return {
    url,
    method: 'GET',
    outcome: 'free',
    httpStatus: 200,
    phases: { resolve: 1, connect: 1, tls: 1, processing: 1, transfer: 1 },
    latencyMs: 4,
    totalMs: 5,
    headers: [],
    body: '{}',
    bodyEnd: 'complete',
    redirects: [],
    interimStatuses: [],
    declaredMethod: null,
    remoteAddress: null,
    retryAfterSeconds: null,
    failure: null,
  };
}

/** Interruption of a run: when a step begins, or after a number of database requests. */
interface Interruption {
  readonly kind: 'abort' | 'fail' | 'kill before request' | 'kill after request';
  readonly at: number;
}

/**
 * Runs a time-lapse on an empty database, with the given interruptions. Each run continues the previous run.
 *
 * @returns number of database requests of each run
 */
async function runInterrupted(database: EmbeddedDatabase, interruptions: readonly Interruption[]) {
  let state = { from: EPOCH, discoveredUntil: 0 };
  const requests: number[] = [];
  for (const interruption of [...interruptions, null]) {
    const run = await runOnce(database, state, interruption);
    state = run.saved;
    requests.push(run.requests);
  }
  return requests;
}

/**
 * Runs until the time-lapse ends or is interrupted. Returns the state in the data folder and the number of database
 * requests of this run.
 */
async function runOnce(
  database: EmbeddedDatabase,
  state: { readonly from: number; readonly discoveredUntil: number },
  interruption: Interruption | null,
) {
  const saved = { ...state };
  const aborting = new AbortController();
  const never = new Promise<never>(() => undefined);
  let killed: () => void = () => undefined;
  const kill = new Promise<void>((resolve) => (killed = resolve));
  let requests = 0;
  let isKilled = false;
  // A killed process sends no further request and saves nothing.
  const fetchUntilKilled: typeof fetch = async (input, init) => {
    requests += 1;
    const isLast =
      interruption !== null && interruption.kind.startsWith('kill') && requests === interruption.at;
    if (isLast && interruption.kind === 'kill after request') await fetch(input, init);
    if (isLast) killed();
    isKilled ||= isLast;
    return isKilled ? never : fetch(input, init);
  };
  let time = 0;
  let steps = 0;
  const control = {
    setClock: (at: number | null) => {
      time = at ?? 0;
      steps += 1;
      if (interruption?.kind === 'abort' && steps === interruption.at) aborting.abort();
      if (interruption?.kind === 'fail' && steps === interruption.at)
        return Promise.reject(new Error('The sandbox does not respond.'));
      return Promise.resolve();
    },
    waitForPayments: () => Promise.resolve(),
  } satisfies Pick<SandboxControl, 'setClock' | 'waitForPayments'>;
  const context: PipelineContext = {
    db: connect({ url: database.url, key: keys.secret, fetch: fetchUntilKilled }),
    prober: ({ url }) => probe(url),
    directories: [{ name: 'sandbox', url: 'http://directory.test' }],
    fetch: () => {
      // The endpoint `late` is listed later than the other endpoints.
      const names = ['one', 'two', 'slow', ...(time > EPOCH + 4 * STEP_MS ? ['late'] : [])];
      const pagination = { limit: 1000, offset: 0, total: names.length };
      return Promise.resolve(Response.json({ x402Version: 2, items: names.map(toItem), pagination }));
    },
    now: Date.now,
    hostSuffix: '.sandbox.test',
    owner: 'one-machine',
    onChanged: () => Promise.resolve(),
  };
  const running = runTimeLapse({
    context,
    control,
    ...state,
    signal: aborting.signal,
    onDiscovered: (at) => {
      if (!isKilled) saved.discoveredUntil = at;
    },
    onStep: (until) => {
      if (!isKilled) saved.from = until;
    },
  });
  if (interruption?.kind === 'fail') await expect(running).rejects.toThrow('does not respond');
  else await Promise.race([running, kill]);
  return { saved, requests };
}

/** Returns the recorded probes and the daily figures of a database, by endpoint. */
async function readRecords(db: Db) {
  const endpoints = await db.from('endpoints').select('id, resource').order('resource');
  const observations = await db.from('observations').select('endpoint_id, at').order('at').limit(1000);
  const days = await db
    .from('daily_rollups')
    .select('endpoint_id, day, probes, slots_due, slots_probed')
    .order('day');
  return (endpoints.data ?? []).map(({ id, resource }) => ({
    resource,
    steps: (observations.data ?? [])
      .filter(({ endpoint_id }) => endpoint_id === id)
      .map(({ at }) => (Date.parse(at) - EPOCH) / STEP_MS),
    days: (days.data ?? [])
      .filter(({ endpoint_id }) => endpoint_id === id)
      .map(({ day, probes, slots_due, slots_probed }) => ({ day, probes, slots_due, slots_probed })),
  }));
}

/** Step at which the endpoint `late` is first in the directory. */
const LATE_STEP = 6;

/**
 * Leaves out the probes of the endpoint `late` before its listing. A run that is killed after it read the directory
 * continues at an earlier time, and knows the endpoint then.
 */
function dropEarlyProbes(records: Awaited<ReturnType<typeof readRecords>>) {
  return records.map((record) =>
    record.resource.includes('late')
      ? { ...record, steps: record.steps.filter((step) => step >= LATE_STEP), days: null }
      : record,
  );
}

async function runOnNewDatabase(interruptions: readonly Interruption[]) {
  const database = await startMigrated({ keys });
  try {
    const requests = await runInterrupted(database, interruptions);
    return { requests, records: await readRecords(connect({ url: database.url, key: keys.secret })) };
  } finally {
    await database.close();
  }
}

it('records the same probes with and without interruptions', async () => {
  const { records: expected, requests } = await runOnNewDatabase([]);
  const steps = Array.from({ length: STEPS - 1 }, (_, index) => index + 2);
  expect(expected.find(({ resource }) => resource.includes('slow'))?.steps).toEqual(steps);
  const total = requests[0] ?? 0;
  const kinds = ['kill before request', 'kill after request'] as const;
  const interruption = fc.oneof(
    fc.record({ kind: fc.constant('abort' as const), at: fc.integer({ min: 1, max: STEPS }) }),
    fc.record({ kind: fc.constantFrom(...kinds), at: fc.integer({ min: 1, max: total }) }),
  );
  // This interruption kills the process after half of its database requests.
  const kill = { kind: 'kill after request' as const, at: Math.floor(total / 2) };
  await fc.assert(
    fc.asyncProperty(fc.array(interruption, { minLength: 1, maxLength: 3 }), async (interruptions) => {
      const run = await runOnNewDatabase(interruptions);
      expect(dropEarlyProbes(run.records)).toEqual(dropEarlyProbes(expected));
      // The killed run ends with the request of its interruption. A second run then completes the time-lapse.
      if (interruptions[0] === kill) expect(run.requests[0]).toBe(kill.at);
    }),
    { numRuns: RUNS, examples: [[[{ kind: 'abort', at: 5 }]], [[kill]]] },
  );
}, 120_000);

it('ends after an error only when all pending results are recorded', async () => {
  const database = await startMigrated({ keys });
  const { saved } = await runOnce(database, { from: EPOCH, discoveredUntil: 0 }, { kind: 'fail', at: 7 });
  expect(saved.from).toBe(EPOCH + 6 * STEP_MS);
  await database.close();
}, 60_000);
