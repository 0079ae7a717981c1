import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  assignWalletGroups,
  auditPayment,
  claimDueEndpoints,
  claimPayment,
  createPartitions,
  readOperationalMetrics,
  recordEcosystemDay,
  saveSnapshots,
  settlePayment,
  startDiscovery,
  storePaymentResult,
  type Observation,
} from '../index.ts';
import type { MetricsLimits } from './operational-metrics.ts';
import { failed, openDeliveries, toAttempt } from '../testing/deliveries.ts';
import { makeEndpoint, makeObservation, makeSnapshotRow, useTestDatabase, T0 } from '../testing/fixtures.ts';
import { makeDestination, makePayment } from '../testing/watches.ts';

const IDS = ['metricaaaa', 'metricbbbb', 'metriccccc'] as const;
/** The first slot of the endpoints is 10 minutes after T0. */
const SLOT = T0 + 10 * MINUTE_MS;

const database = useTestDatabase();
const read = (now: number, limits?: MetricsLimits) => readOperationalMetrics(database.db, now, limits);
const readQueue = async (name: string, now: number) =>
  (await read(now)).queues.find(({ queue }) => queue === name);
const claim = (now: number, limit = 100) =>
  claimDueEndpoints(database.db, { owner: 'w', now, limit, leaseSeconds: 60, hostSuffix: null });

beforeEach(() =>
  database.connection.driver.exec(
    'truncate public.endpoints, public.leases, public.host_queues, public.observations, public.scoring_queue, public.payments, public.discovery_runs cascade',
  ),
);

const discover = (at = T0) => database.discover('metrics', at, IDS);

it('reads an empty database', async () => {
  const { probes, queues, payments, watches, jobs, databaseBytes } = await read(T0);
  expect(probes).toMatchObject({ dueSlots: 0, oldestDueAt: null, leases: 0, requiredPerSecond: 0 });
  expect(queues.map(({ queue, items, oldestAt }) => [queue, items, oldestAt])).toEqual(
    [
      ...[
        'scores',
        'rechecks',
        'search_texts',
        'watch_deliveries',
        'payment_checks',
        'purchases',
        'disputes',
      ],
    ].map((name) => [name, 0, null]),
  );
  expect(payments).toEqual({ open: [], lastDay: [], disputedLastDay: 0 });
  expect(watches).toMatchObject({ active: 0, attemptsLastHour: { delivered: 0, failed: 0 } });
  expect(jobs).toMatchObject({ newestScoreAt: null, statisticsAt: null, directories: [], chains: [] });
  expect(databaseBytes).toBeGreaterThan(1_000_000);
});

describe('probes', () => {
  it('counts due slots, and the slots of a worker that was killed', async () => {
    await discover();
    expect((await read(SLOT - 1)).probes).toMatchObject({ dueSlots: 0, oldestDueAt: null, scheduled: 3 });
    const now = SLOT + 2 * MINUTE_MS;
    expect((await read(now)).probes).toMatchObject({ dueSlots: 3, oldestDueAt: SLOT });
    expect(await claim(now, 2)).toHaveLength(2);
    expect((await read(now)).probes).toMatchObject({ dueSlots: 1, leases: 2, expiredLeases: 0 });
    // The leases end after 60 seconds.
    expect((await read(now + MINUTE_MS)).probes).toMatchObject({
      dueSlots: 3,
      oldestDueAt: SLOT,
      expiredLeases: 2,
    });
  });

  it('compares the probes of the last 30 minutes with the schedules', async () => {
    await discover(T0 - DAY_MS);
    const probe = async (at: number, results: Readonly<Record<string, Partial<Observation>>>) => {
      const claimed = await claim(at);
      const observations = claimed.flatMap(({ endpointId, slotAt }) => {
        const result = results[endpointId];
        return result === undefined ? [] : [makeObservation(endpointId, at, { slotAt, ...result })];
      });
      await database.record(observations, at);
    };
    const [up, down, excluded] = IDS;
    await probe(SLOT - HOUR_MS, { [up]: {}, [down]: {}, [excluded]: {} });
    await probe(SLOT, {
      [up]: {},
      [down]: { vitality: 'down' },
      [excluded]: { vitality: 'neither', excluded: true },
    });
    const { probes } = await read(SLOT + 5 * MINUTE_MS);
    // Each of the three endpoints has one slot in 30 minutes.
    expect(probes).toMatchObject({ scheduled: 3, sampledEndpoints: 3 });
    expect(probes.requiredPerSecond).toBeCloseTo(3 / 1800, 9);
    expect(probes.recordedPerSecond).toEqual({ up: 1 / 1800, down: 1 / 1800, other: 0, excluded: 1 / 1800 });
  });

  it('requires no probe of the time before an endpoint was listed', async () => {
    await discover(T0);
    const { probes } = await read(T0 + 10 * MINUTE_MS);
    expect(probes.requiredPerSecond).toBeCloseTo(1 / 1800, 9);
  });

  it('estimates the rates of all endpoints from a sample, without the schedules of templates', async () => {
    const templates = ['metricaaab', 'metricaaac'].map((id) => makeEndpoint(id, { probeUrl: null }));
    await database.discover('metrics', T0 - DAY_MS, [...IDS, ...templates]);
    const { probes } = await read(T0, { maxCountedRows: 100, sampledEndpoints: 2 });
    // The first four of the five schedules contain two sampled endpoints and two templates.
    expect(probes).toMatchObject({ scheduled: 5, sampledEndpoints: 2 });
    expect(probes.requiredPerSecond).toBeCloseTo((2 * 5) / 4 / 1800, 9);
    const all = await read(T0, { maxCountedRows: 100, sampledEndpoints: 4 });
    expect(all.probes.requiredPerSecond).toBeCloseTo(3 / 1800, 9);
  });
});

it('reports the oldest items when there are more than it counts', async () => {
  for (const at of [T0 + HOUR_MS, T0]) {
    await claimPayment(database.db, makePayment(), { now: at, leaseSeconds: 30 });
    const settling = makePayment();
    await claimPayment(database.db, settling, { now: at, leaseSeconds: 30 });
    await storePaymentResult(database.db, settling, { result: '{}', now: at, leaseSeconds: 30 });
  }
  const actions = openDeliveries(database);
  const watches = [
    await actions.openWatch([makeDestination('a')]),
    await actions.openWatch([makeDestination('b')]),
  ];
  for (const [index, { change }] of watches.entries()) await change(T0 + (3 - index) * HOUR_MS);
  const { payments, queues } = await read(T0 + DAY_MS, { maxCountedRows: 1, sampledEndpoints: 100 });
  expect(payments.open).toEqual([
    { state: 'settling', payments: 1, oldestAt: T0 },
    { state: 'working', payments: 1, oldestAt: T0 },
  ]);
  const oldest = queues.flatMap(({ queue, oldestAt }) =>
    ['payment_checks', 'watch_deliveries'].includes(queue) ? [[queue, oldestAt]] : [],
  );
  expect(oldest).toEqual([
    ['watch_deliveries', T0 + 2 * HOUR_MS],
    ['payment_checks', T0],
  ]);
});

it('reports the due scores, and how long they have waited', async () => {
  await discover();
  expect(await readQueue('scores', T0 + HOUR_MS)).toMatchObject({ items: 3, oldestAt: T0 });
});

it('reports payments by operation and state', async () => {
  const settling = makePayment();
  await claimPayment(database.db, settling, { now: T0, leaseSeconds: 30 });
  await storePaymentResult(database.db, settling, { result: '{}', now: T0, leaseSeconds: 30 });
  const later = T0 + HOUR_MS;
  await claimPayment(database.db, makePayment({ route: 'POST /v1/x402-trust' }), {
    now: later,
    leaseSeconds: 30,
  });
  const { payments } = await read(later);
  expect(payments.open).toEqual([
    { state: 'settling', payments: 1, oldestAt: T0 },
    { state: 'working', payments: 1, oldestAt: later },
  ]);
  expect(payments.lastDay).toEqual([
    { operation: settling.route, state: 'settling', payments: 1 },
    { operation: 'POST /v1/x402-trust', state: 'working', payments: 1 },
  ]);
  expect(await readQueue('payment_checks', later)).toMatchObject({ items: 1, oldestAt: T0 });
  expect((await read(T0 + DAY_MS)).payments.lastDay).toHaveLength(1);
});

it('reports disputed payments for a day after they were found, also if that is late', async () => {
  const payment = makePayment();
  const result = { result: '{}', now: T0, leaseSeconds: 30 };
  await claimPayment(database.db, payment, { now: T0, leaseSeconds: 30 });
  await storePaymentResult(database.db, payment, result);
  await settlePayment(database.db, payment, {
    transaction: '0xabc',
    receipt: 'e30',
    audited: false,
    now: T0,
  });
  const found = T0 + 3 * DAY_MS;
  await auditPayment(database.db, payment, { transaction: null, now: found });
  expect((await read(found + HOUR_MS)).payments).toMatchObject({ lastDay: [], disputedLastDay: 1 });
  expect((await read(found + DAY_MS + 1)).payments.disputedLastDay).toBe(0);
});

it('reports waiting, failed and given up deliveries of watches', async () => {
  const actions = openDeliveries(database);
  const { change } = await actions.openWatch([makeDestination('a'), makeDestination('b')]);
  await change(T0 + HOUR_MS);
  const now = T0 + 2 * HOUR_MS;
  expect(await readQueue('watch_deliveries', now)).toMatchObject({ items: 2 });
  const [first, second] = await actions.claim(now);
  if (first === undefined || second === undefined) throw new Error('Both destinations must be due.');
  await actions.record(
    [toAttempt(first, { at: now }), toAttempt(second, { at: now, ...failed, outcome: 'exhausted' })],
    now,
  );
  expect((await read(now + MINUTE_MS)).watches).toEqual({
    active: 1,
    attemptsLastHour: { delivered: 1, failed: 1 },
    givenUpLastDay: { exhausted: 1, dropped: 0 },
  });
  expect((await read(now + 2 * HOUR_MS)).watches).toMatchObject({
    attemptsLastHour: { delivered: 0, failed: 0 },
    givenUpLastDay: { exhausted: 1 },
  });
});

it('reports the latest runs of the jobs', async () => {
  await discover(T0);
  await startDiscovery(database.db, 'metrics', T0 + HOUR_MS);
  await database.discoverPartly('never complete', T0, []);
  await saveSnapshots(database.db, T0 + MINUTE_MS, [makeSnapshotRow(IDS[0], 50)]);
  await recordEcosystemDay(database.db, T0 + 2 * MINUTE_MS);
  await createPartitions(database.db, { from: T0 - DAY_MS, to: T0 + DAY_MS });
  const { jobs } = await read(T0 + HOUR_MS);
  expect(jobs).toMatchObject({
    newestScoreAt: T0 + MINUTE_MS,
    oldestScoreAt: T0 + MINUTE_MS,
    statisticsAt: T0 + 2 * MINUTE_MS,
    directories: [
      { directory: 'metrics', startedAt: T0 + HOUR_MS, completedAt: T0 },
      { directory: 'never complete', startedAt: T0, completedAt: null },
    ],
  });
  expect(jobs.partitionsUntil).toBe(T0 + 2 * DAY_MS);
  // A directory that has not been read for a week is left out.
  expect((await read(T0 + 8 * DAY_MS)).jobs.directories).toEqual([]);
});

it('reports how far the payments of each chain were read', async () => {
  await discover();
  await database.connection.driver.exec(`
    insert into public.endpoint_wallets (network, pay_to, host, endpoint_id, challenged)
    values ('eip155:8453', '0x${'a1'.repeat(20)}', 'h', '${IDS[0]}', true)`);
  await assignWalletGroups(database.db, { network: 'eip155:8453', now: T0 });
  await database.connection.driver.exec(
    "update public.chain_cursors set through_at = '2026-11-01T00:05:00Z', caught_up_at = '2026-11-01T00:06:00Z'",
  );
  expect((await read(T0 + HOUR_MS)).jobs.chains).toEqual([
    {
      network: 'eip155:8453',
      readUntil: T0 + 5 * MINUTE_MS,
      caughtUpAt: T0 + 6 * MINUTE_MS,
      groupsBehind: 0,
    },
  ]);
});
