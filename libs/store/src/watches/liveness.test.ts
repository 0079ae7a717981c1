import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editWatch, recordLiveProbe, type Observation } from '../index.ts';
import { makeObservation, useTestDatabase, T0 } from '../testing/fixtures.ts';
import { makeWatchId, openWatches } from '../testing/watches.ts';

const down = {
  vitality: 'down',
  outcome: 'timeout',
  compliance: null,
  bucket: null,
  httpStatus: null,
} as const;
const blocked = { ...down, vitality: 'neither', outcome: 'blocked' } as const;
const up = {} as const;

const database = useTestDatabase();
const watches = openWatches(database);

type Kind = 'scheduled' | 'recheck' | 'live';

/** Records a probe of an endpoint in the same way as the worker for this kind of probe. */
async function probe(kind: Kind, id: string, extra: Partial<Observation> & { at: number }): Promise<void> {
  const { at } = extra;
  // The unique hash makes each live probe differ from the last observation, so it is recorded.
  const observation = makeObservation(id, at, { challengeHash: `${id} ${at}`, ...extra });
  if (kind === 'live') {
    expect(await recordLiveProbe(database.db, at, { observation, challenge: null })).toBe(true);
    return;
  }
  if (kind === 'recheck') {
    const time = new Date(at).toISOString();
    const lease = { endpoint_id: id, slot_at: time, expires_at: time, owner: 'w', is_recheck: true };
    await database.db.from('leases').insert(lease).throwOnError();
  }
  await database.record([{ ...observation, slotAt: kind === 'recheck' ? at : null }], at);
}

interface Step {
  readonly kind: Kind;
  readonly vitality: 'up' | 'down' | 'neither';
  readonly excluded: boolean;
  /** Time since the previous step. */
  readonly seconds: number;
}

const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Kind[]>('scheduled', 'scheduled', 'scheduled', 'scheduled', 'recheck', 'live'),
  vitality: fc.constantFrom<Step['vitality'][]>('down', 'down', 'down', 'down', 'down', 'up', 'neither'),
  excluded: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  // 5,401 seconds are a monitoring gap: more than 90 minutes and more than three slots.
  seconds: fc.constantFrom(30, 300, 300, 300, 300, 300, 1800, 5399, 5401),
});

interface ExpectedAlert {
  readonly type: string;
  readonly at: number;
  readonly missed: number | undefined;
  readonly downSince: number;
}

/** Returns the alerts that the specification requires for a watch with a sensitivity. */
function toExpectedAlerts(steps: readonly Step[], sensitivity: number): ExpectedAlert[] {
  const alerts: ExpectedAlert[] = [];
  let at = T0;
  let lastAt: number | null = null;
  let misses: { at: number; scheduled: boolean }[] = [];
  let reportedSince: number | null = null;
  for (const { kind, vitality, excluded, seconds } of steps) {
    at += seconds * 1000;
    if (excluded) continue;
    if (lastAt !== null && at - lastAt > 90 * MINUTE_MS) misses = [];
    lastAt = at;
    if (vitality === 'up') {
      misses = [];
      if (reportedSince !== null)
        alerts.push({ type: 'liveness_recovered', at, missed: undefined, downSince: reportedSince });
      reportedSince = null;
    }
    if (vitality !== 'down') continue;
    misses.push({ at, scheduled: kind === 'scheduled' });
    const missed = misses.filter(({ scheduled }) => scheduled).length;
    const [first] = misses;
    if (reportedSince !== null || misses.length < 2 || missed < sensitivity || !first) continue;
    reportedSince = first.at;
    alerts.push({ type: 'liveness_down', at, missed, downSince: first.at });
  }
  return alerts;
}

/** Adds active watches to an endpoint. Returns their ids. */
async function addWatches(
  endpointId: string,
  rows: readonly { readonly sensitivity: number; readonly events: string[] }[],
): Promise<string[]> {
  const time = new Date(T0).toISOString();
  const inserted = rows.map(({ sensitivity, events }) => ({
    id: makeWatchId(),
    endpoint_id: endpointId,
    status: 'active',
    secret_hash: '',
    signing_key: '',
    events,
    liveness_sensitivity_n: sensitivity,
    created_at: time,
    activated_at: time,
    expires_at: new Date(T0 + 1000 * HOUR_MS).toISOString(),
  }));
  await database.db.from('watches').insert(inserted).throwOnError();
  return inserted.map(({ id }) => id);
}

const toPart = (value: unknown): { downSince?: string; missedProbes?: number } =>
  // The cast is safe, because the log of these watches contains only alerts about liveness.
  value as { downSince?: string; missedProbes?: number };

const readAlerts = async (id: string): Promise<ExpectedAlert[]> =>
  (await watches.readLog(id)).map(({ type, at, data }) => {
    const after = toPart(data['after']);
    const downSince = after.downSince ?? toPart(data['before']).downSince ?? '';
    return { type, at, missed: after.missedProbes, downSince: Date.parse(downSince) };
  });

it('alerts as the specification says, for every sensitivity and any sequence of probes', async () => {
  const both = ['liveness_down', 'liveness_recovered'];
  const sensitivities = Array.from({ length: 10 }, (_, index) => index + 1);
  let alerts = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 40, size: 'max' }), async (steps) => {
      const id = await watches.addEndpoint();
      const ids = await addWatches(id, [
        ...sensitivities.map((sensitivity) => ({ sensitivity, events: both })),
        { sensitivity: 2, events: ['liveness_recovered'] },
      ]);
      let at = T0;
      for (const { kind, vitality, excluded, seconds } of steps) {
        at += seconds * 1000;
        const extra = { up, down, neither: blocked }[vitality];
        await probe(kind, id, { ...extra, excluded, at });
      }
      for (const [index, sensitivity] of sensitivities.entries()) {
        const expected = toExpectedAlerts(steps, sensitivity);
        alerts += expected.length;
        expect(await readAlerts(ids[index] ?? '')).toEqual(expected);
      }
      expect(await readAlerts(ids[10] ?? '')).toEqual(
        toExpectedAlerts(steps, 2).filter(({ type }) => type === 'liveness_recovered'),
      );
    }),
    { numRuns: 8 },
  );
  expect(alerts).toBeGreaterThan(0);
}, 120_000);

describe('a watch', () => {
  const missSlots = async (id: string, from: number, to: number) => {
    for (let slot = from; slot < to; slot += 1)
      await probe('scheduled', id, { ...down, at: T0 + slot * 5 * MINUTE_MS });
  };

  it('with several probes in one batch gets the alerts of each probe', async () => {
    const id = await watches.addEndpoint();
    const watch = await watches.buy(id, { livenessSensitivityN: 3 });
    const rows = [up, down, down, down, down, up, down, down, up].map((extra, slot) =>
      makeObservation(id, T0 + slot * 5 * MINUTE_MS, extra),
    );
    await database.record(rows, T0 + HOUR_MS);
    const log = await watches.readLog(watch);
    expect(log.slice(1)).toEqual([
      {
        sequence: 2,
        kind: 'alert',
        type: 'liveness_down',
        at: T0 + 15 * MINUTE_MS,
        data: {
          before: { liveness: 'up' },
          after: {
            liveness: 'down',
            downSince: '2026-11-01T00:05:00+00:00',
            missedProbes: 3,
            outcome: 'timeout',
            httpStatus: null,
          },
        },
      },
      {
        sequence: 3,
        kind: 'alert',
        type: 'liveness_recovered',
        at: T0 + 25 * MINUTE_MS,
        data: {
          before: { liveness: 'down', downSince: '2026-11-01T00:05:00+00:00' },
          after: { liveness: 'up', outcome: 'challenged', httpStatus: 402 },
        },
      },
    ]);
  });

  it('of an endpoint that is already down gets the alert at the next miss', async () => {
    const id = await watches.addEndpoint();
    await missSlots(id, 0, 6);
    const watch = await watches.buy(id, { now: T0 + 28 * MINUTE_MS, livenessSensitivityN: 10 });
    expect(await watches.readAlerts(watch)).toEqual([]);
    await editWatch(database.db, { id: watch, livenessSensitivityN: 7, changed: [], now: T0 + HOUR_MS });
    await missSlots(id, 6, 9);
    const [, alert, ...more] = await watches.readLog(watch);
    expect(more).toEqual([]);
    expect(alert).toMatchObject({
      type: 'liveness_down',
      at: T0 + 30 * MINUTE_MS,
      data: {
        before: { liveness: 'down', downSince: '2026-11-01T00:00:00+00:00' },
        after: { missedProbes: 7 },
      },
    });
  });
});
