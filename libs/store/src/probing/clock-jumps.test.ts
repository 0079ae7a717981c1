import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  claimPayment,
  consumeRateLimit,
  correctClockJump,
  findPayment,
  findWatch,
  settlePayment,
  startDiscovery,
  storePaymentResult,
  type Observation,
} from '../index.ts';
import { makeEndpoint, makeId, makeObservation, useTestDatabase, T0, DOWN } from '../testing/fixtures.ts';
import { openDeliveries } from '../testing/deliveries.ts';
import { openHosts } from '../testing/hosts.ts';
import { makePayment } from '../testing/watches.ts';

const database = useTestDatabase();

const INTERVAL_MS = 30 * MINUTE_MS;
const BATCH_MS = 10 * MINUTE_MS;
/** Difference of two clocks up to which no time is corrected. */
const TOLERANCE_MS = 5 * MINUTE_MS;

let runs = 0;
/** Returns a start time that is later than all times of earlier tests, so that no test sees an earlier jump. */
const nextStart = (): number => T0 + (runs += 1) * 10 * DAY_MS;

/** Creates endpoints with different slots, and a worker whose clock differs from the real time by `offset`. */
async function openWorker(count: number) {
  const start = nextStart();
  const name = `clock${runs}`;
  const { host, claim } = openHosts(database, name);
  const ids = Array.from({ length: count }, (_, index) => makeId(runs * 10 + index));
  const endpoints = ids.map((id, index) =>
    makeEndpoint(id, {
      host: host(index % 2 === 0 ? 'even' : id),
      resource: `https://${id}.test/`,
      offsetSeconds: (index * 660 + 60) % 1800,
    }),
  );
  await database.discover(name, start, endpoints);
  let batches = 0;
  const probed: { readonly id: string; readonly at: number }[] = [];
  /** Corrects the times, probes all due endpoints and records the results, as a batch does. */
  const run = async (
    at: number,
    offset = 0,
    { machine = 'one', ...extra }: Partial<Observation> & { readonly machine?: string } = {},
  ) => {
    // Real jumps are not whole minutes, so two probes have different times.
    const now = at + offset + (batches += 1);
    const wasCorrected = await correctClockJump(database.db, { machine, now: () => now });
    const slots = await claim(now);
    await database.record(
      slots.map(({ endpointId, slotAt }) => makeObservation(endpointId, now, { slotAt, ...extra })),
      now,
    );
    probed.push(...slots.map(({ endpointId }) => ({ id: endpointId, at })));
    return wasCorrected;
  };
  return { start, ids, offsets: endpoints.map(({ offsetSeconds }) => offsetSeconds), run, probed };
}

const readObservations = async (id: string) => {
  const { data } = await database.db
    .from('observations')
    .select('at, is_recheck')
    .eq('endpoint_id', id)
    .order('at');
  return (data ?? []).map(({ at, is_recheck }) => ({ at: Date.parse(at), isRecheck: is_recheck }));
};
const readState = async (id: string) => {
  const { data } = await database.db
    .from('endpoint_states')
    .select('last_probed_at, last_observed_at, liveness, misses, terms_at')
    .eq('endpoint_id', id)
    .single();
  return data;
};

describe('a clock that was set back', () => {
  it('leaves no endpoint scheduled hours ahead, and counts no slot twice, after any jumps', async () => {
    const jump = fc.record({
      offset: fc.integer({ min: -300, max: 300 }).map((minutes) => minutes * MINUTE_MS),
      batches: fc.integer({ min: 1, max: 12 }),
      rightBatches: fc.integer({ min: 0, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(jump, { minLength: 1, maxLength: 2 }), async (jumps) => {
        const { start, ids, offsets, run, probed } = await openWorker(3);
        let at = start + DAY_MS;
        for (const { offset, batches, rightBatches } of [
          { offset: 0, batches: 3, rightBatches: 0 },
          ...jumps,
        ]) {
          for (let batch = 0; batch < batches; batch += 1, at += BATCH_MS) await run(at, offset);
          for (let batch = 0; batch < rightBatches; batch += 1, at += BATCH_MS) await run(at);
        }
        const rightSince = at;
        const until = rightSince + INTERVAL_MS + TOLERANCE_MS + BATCH_MS;
        for (; at <= until; at += BATCH_MS) await run(at);
        const late = probed.filter((probe) => probe.at >= rightSince);
        expect(new Set(late.map(({ id }) => id))).toEqual(new Set(ids));
        for (const [index, id] of ids.entries()) {
          const counted = (await readObservations(id)).filter(({ isRecheck }) => !isRecheck);
          const slots = counted.map((observation) =>
            Math.floor((observation.at / 1000 - (offsets[index] ?? 0)) / 1800),
          );
          expect(new Set(slots).size).toBe(slots.length);
          const { data } = await database.db.from('daily_rollups').select('probes').eq('endpoint_id', id);
          expect((data ?? []).reduce((sum, { probes }) => sum + probes, 0)).toBe(counted.length);
        }
      }),
      { numRuns: 4 },
    );
  }, 120_000);

  it('is not assumed for a difference of five minutes', async () => {
    const { start, run } = await openWorker(1);
    await run(start + DAY_MS, TOLERANCE_MS);
    expect(await run(start + DAY_MS, 1000)).toBe(false);
    expect(await run(start + DAY_MS, -1000)).toBe(true);
  });

  it('is not assumed for two machines whose clocks differ by six minutes', async () => {
    const { start, run } = await openWorker(1);
    for (let at = start + DAY_MS; at < start + DAY_MS + 4 * BATCH_MS; at += BATCH_MS) {
      expect(await run(at, 6 * MINUTE_MS, { machine: 'fast' })).toBe(false);
      expect(await run(at, 0, { machine: 'right' })).toBe(false);
    }
    expect(await run(start + DAY_MS, 0, { machine: 'fast' })).toBe(true);
  });

  it('shows the last probe as made before now, and records the next one as the latest', async () => {
    const { start, ids, run } = await openWorker(1);
    const [id = ''] = ids;
    const at = start + DAY_MS;
    await run(at);
    await run(at + BATCH_MS, 3 * HOUR_MS, DOWN);
    expect(await readState(id)).toMatchObject({ misses: 1, liveness: 'up' });
    const right = at + 2 * BATCH_MS;
    await run(right, 0, DOWN);
    const state = await readState(id);
    expect(Date.parse(state?.last_probed_at ?? '')).toBeLessThan(right + 1000);
    for (let later = right; later <= right + INTERVAL_MS; later += BATCH_MS) await run(later, 0, DOWN);
    expect(await readState(id)).toMatchObject({ misses: 2, liveness: 'down' });
  });
});

describe('after a clock was set back', () => {
  const AHEAD_MS = 3 * HOUR_MS;
  /** Database in which the tests below store their times in this order. */
  const database = useTestDatabase();
  /** Stores the time three hours ahead, and then corrects all times. */
  const setBack = async (now: number): Promise<void> => {
    await correctClockJump(database.db, { machine: 'one', now: () => now + AHEAD_MS });
    expect(await correctClockJump(database.db, { machine: 'one', now: () => now })).toBe(true);
  };

  it('a payment lease ends after its whole duration, and not before', async () => {
    const now = T0 + DAY_MS;
    const payment = makePayment({ validBefore: now + DAY_MS });
    const claim = async (at: number, owner: string) => {
      const lease = { now: at, leaseSeconds: 45 };
      return (await claimPayment(database.db, { ...payment, owner }, lease)).outcome;
    };
    expect(await claim(now + AHEAD_MS, 'one')).toBe('claimed');
    await setBack(now);
    expect(await claim(now + 45_000, 'two')).toBe('busy');
    expect(await claim(now + 5 * MINUTE_MS, 'two')).toBe('claimed');
  });

  it('a payment counts as settled at the time of the correction', async () => {
    const now = T0 + 1.5 * DAY_MS;
    const payment = makePayment({ validBefore: now + DAY_MS });
    const at = now + AHEAD_MS;
    await claimPayment(database.db, payment, { now: at, leaseSeconds: 45 });
    await storePaymentResult(database.db, payment, { result: 'result', now: at, leaseSeconds: 45 });
    const settlement = { transaction: '0xhash', receipt: 'receipt', audited: false };
    await settlePayment(database.db, payment, { ...settlement, now: at });
    await setBack(now);
    expect(await findPayment(database.db, payment)).toMatchObject({ state: 'settled', settledAt: now });
  });

  it('alerts are delivered, each once', async () => {
    const deliveries = openDeliveries(database);
    const watch = await deliveries.openWatch([
      { channel: 'webhook', url: 'https://hook.test/', label: 'hook.test' },
    ]);
    const now = T0 + 2 * DAY_MS;
    await deliveries.deliver(now);
    await watch.change(now + AHEAD_MS);
    const [leased] = await deliveries.claim(now + AHEAD_MS + 1000, 'stopped');
    expect(leased?.entries).toHaveLength(1);
    await setBack(now);
    expect(await deliveries.deliver(now + 59_000)).toEqual([]);
    expect(await deliveries.deliver(now + MINUTE_MS)).toHaveLength(1);
    expect(await deliveries.deliver(now + 2 * MINUTE_MS)).toEqual([]);
  });

  it('a watch is active for its paid time', async () => {
    const deliveries = openDeliveries(database);
    const { id } = await deliveries.openWatch([]);
    const expiresAt = (await findWatch(database.db, id))?.expiresAt ?? 0;
    const now = expiresAt - HOUR_MS;
    const advance = (at: number) =>
      database.db.rpc('advance_watches', { p_now: new Date(at).toISOString(), p_limit: 100 });
    await advance(now + AHEAD_MS);
    expect((await findWatch(database.db, id))?.status).toBe('expired');
    await setBack(now);
    expect((await findWatch(database.db, id))?.status).toBe('active');
  });

  it('a client waits at most a minute, and a directory is read again', async () => {
    const now = T0 + 40 * DAY_MS;
    const use = (at: number) =>
      consumeRateLimit(database.db, { key: 'clock', cost: 1, limit: 1, windowSeconds: 60, now: at });
    await use(now + AHEAD_MS);
    expect((await use(now)).allowed).toBe(false);
    const { id } = await startDiscovery(database.db, 'clock', now + AHEAD_MS);
    await database.db
      .from('discovery_runs')
      .update({ resume_at: new Date(now + AHEAD_MS + HOUR_MS).toISOString() })
      .eq('id', id);
    await setBack(now);
    expect((await use(now)).allowed).toBe(true);
    expect(await startDiscovery(database.db, 'clock', now)).toMatchObject({ id, resumeAt: now });
  });
});
