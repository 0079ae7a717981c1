import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { consumeRateLimit, findWatch, resetDistantSlots, type Observation } from '../index.ts';
import { openDeliveries } from '../testing/deliveries.ts';
import { DOWN, makeEndpoint, makeId, makeObservation, T0, useTestDatabase } from '../testing/fixtures.ts';
import { openHosts } from '../testing/hosts.ts';

const database = useTestDatabase();

const INTERVAL_MS = 30 * MINUTE_MS;
const BATCH_MS = 10 * MINUTE_MS;

let runs = 0;

/** Creates endpoints with different slots, and a worker whose clock differs from the real time by `offset`. */
async function openWorker(count: number) {
  const start = T0 + (runs += 1) * 10 * DAY_MS;
  const name = `clock${runs}`;
  const { host, claim } = openHosts(database, name);
  const ids = Array.from({ length: count }, (_, index) => makeId(runs * 10 + index));
  await database.discover(
    name,
    start,
    ids.map((id, index) =>
      makeEndpoint(id, {
        host: host(index % 2 === 0 ? 'even' : id),
        resource: `https://${id}.test/`,
        offsetSeconds: (index * 660 + 60) % 1800,
      }),
    ),
  );
  let batches = 0;
  /** Probes all due endpoints and records the results, as a batch does. Returns the probed endpoints. */
  const run = async (at: number, offset = 0, extra: Partial<Observation> = {}) => {
    // Each batch is one millisecond later, so that two probes have different times. Real clock jumps are not whole
    // minutes.
    const now = at + offset + (batches += 1);
    await resetDistantSlots(database.db, now);
    const slots = await claim(now);
    await database.record(
      slots.map(({ endpointId, slotAt }) => makeObservation(endpointId, now, { slotAt, ...extra })),
      now,
    );
    return slots.map(({ endpointId }) => endpointId);
  };
  return { start, ids, run };
}

const readState = async (id: string) => {
  const { data } = await database.db
    .from('endpoint_states')
    .select('last_probed_at, liveness, misses')
    .eq('endpoint_id', id)
    .single();
  return data;
};

describe('after a clock was set back', () => {
  it('each endpoint is probed within an hour and an interval, whatever the jumps were', async () => {
    const jump = fc.record({
      offset: fc.integer({ min: -300, max: 300 }).map((minutes) => minutes * MINUTE_MS),
      batches: fc.integer({ min: 1, max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(jump, { minLength: 1, maxLength: 2 }), async (jumps) => {
        const { start, ids, run } = await openWorker(3);
        let at = start + DAY_MS;
        for (const { offset, batches } of [{ offset: 0, batches: 3 }, ...jumps]) {
          for (let batch = 0; batch < batches; batch += 1, at += BATCH_MS) await run(at, offset);
        }
        const probed: string[] = [];
        const until = at + HOUR_MS + INTERVAL_MS + BATCH_MS;
        for (; at <= until; at += BATCH_MS) probed.push(...(await run(at)));
        expect(new Set(probed)).toEqual(new Set(ids));
      }),
      { numRuns: 4 },
    );
  }, 120_000);

  it('the next probe is the latest one, and counts as the second miss', async () => {
    const { start, ids, run } = await openWorker(1);
    const [id = ''] = ids;
    const at = start + DAY_MS;
    await run(at);
    await run(at + BATCH_MS, 3 * HOUR_MS, DOWN);
    expect(await readState(id)).toMatchObject({ misses: 1, liveness: 'up' });
    const right = at + 2 * BATCH_MS;
    for (let later = right; later <= right + INTERVAL_MS; later += BATCH_MS) await run(later, 0, DOWN);
    const state = await readState(id);
    expect(state).toMatchObject({ misses: 2, liveness: 'down' });
    expect(Date.parse(state?.last_probed_at ?? '')).toBeLessThanOrEqual(right + INTERVAL_MS + MINUTE_MS);
  });

  it('a late observation changes nothing', async () => {
    const { start, ids, run } = await openWorker(1);
    const [id = ''] = ids;
    const at = start + DAY_MS;
    await run(at);
    const before = await readState(id);
    await database.record([makeObservation(id, at - 2 * HOUR_MS, DOWN)], at + MINUTE_MS);
    expect(await readState(id)).toEqual(before);
  });

  it('a watch is active for its paid time', async () => {
    const { id } = await openDeliveries(database).openWatch([]);
    const expiresAt = (await findWatch(database.db, id))?.expiresAt ?? 0;
    const advance = (at: number) =>
      database.db.rpc('advance_watches', { p_now: new Date(at).toISOString(), p_limit: 100 });
    await advance(expiresAt + 2 * HOUR_MS);
    expect((await findWatch(database.db, id))?.status).toBe('expired');
    await advance(expiresAt - HOUR_MS);
    expect((await findWatch(database.db, id))?.status).toBe('active');
  });

  it('a rate limit of the wrong time does not apply', async () => {
    const now = T0 + 40 * DAY_MS;
    const use = async (at: number) =>
      (await consumeRateLimit(database.db, { key: 'clock', cost: 1, limit: 1, windowSeconds: 60, now: at }))
        .allowed;
    expect(await use(now + 3 * HOUR_MS)).toBe(true);
    expect(await use(now)).toBe(true);
    expect(await use(now)).toBe(false);
    // A clock that is 30 seconds behind must not end the window, because the clocks of two processes differ slightly.
    expect(await use(now - 30_000)).toBe(false);
  });
});
