import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { toLatencyBucket } from '@touchstone/trust';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEndpointHistory, type Observation } from '../index.ts';
import { T0, makeEndpoint, makeObservation, makeTerms, useTestDatabase } from '../testing/fixtures.ts';

const database = useTestDatabase();

const timeout = {
  vitality: 'down',
  outcome: 'timeout',
  httpStatus: null,
  compliance: null,
  bucket: null,
  failure: 'timeout',
  failurePhase: 'processing',
  failureDetail: 'No response within 8 seconds.',
} as const;

/** Creates an endpoint with observations at the given hours after T0. */
async function addEndpoint(id: string, observations: readonly (readonly [number, Partial<Observation>])[]) {
  await database.discover(`history ${id}`, T0, [id]);
  const rows = observations.map(([hour, extra]) => makeObservation(id, T0 + hour * HOUR_MS, extra));
  const last = Math.max(...rows.map(({ at }) => at));
  await database.record(rows, last + MINUTE_MS);
}

/** Returns the times of a response whose first byte arrives after a quarter of the given time. */
function respondIn(ms: number) {
  return {
    latencyMs: ms / 4,
    bucket: toLatencyBucket(ms / 4),
    responseMs: ms,
    responseBucket: toLatencyBucket(ms),
  };
}

/** Reads the history of an endpoint from `fromHour` to `toHour`, both in hours after T0. */
async function readHistory(id: string, fromHour: number, toHour: number) {
  const found = await readEndpointHistory(database.db, {
    endpointId: id,
    from: T0 + fromHour * HOUR_MS,
    to: T0 + toHour * HOUR_MS,
    rawLimit: 100,
    eventLimit: 100,
    eventBytes: 100_000,
    dailyOnly: false,
  });
  if (found === null) throw new Error(`${id} has no history.`);
  return found;
}

describe('the history of an endpoint', () => {
  it('has the cause of each failed probe', async () => {
    const id = 'historyaaa';
    await addEndpoint(id, [
      [1, {}],
      [2, timeout],
      [3, { ...timeout, excluded: true }],
    ]);
    const { raw } = await readHistory(id, 0, 5);
    expect(raw.map(({ outcome, error }) => [outcome, error])).toEqual([
      ['challenged', null],
      ['timeout', 'timeout'],
      ['self-failure', null],
    ]);
  });

  it('has the time to the last byte of each response', async () => {
    const id = 'historylat';
    const incomplete = { responseMs: null, responseBucket: null };
    await addEndpoint(id, [
      [1, respondIn(400)],
      [2, incomplete],
      [3, { ...timeout, ...incomplete, latencyMs: null }],
      [4.1, respondIn(1_000)],
      [4.2, respondIn(2_000)],
      [4.3, respondIn(3_000)],
      [5, {}],
    ]);
    const { raw } = await readHistory(id, 0, 6);
    expect(raw.map(({ latencyMs }) => latencyMs)).toEqual([400, null, null, 1_000, 2_000, 3_000, 121]);
    const query = { endpointId: id, from: T0, to: T0 + 6 * HOUR_MS, eventLimit: 1, eventBytes: 1_000 };
    const found = await readEndpointHistory(database.db, { ...query, rawLimit: 1, dailyOnly: false });
    expect(found?.hourly.map(({ latencyMs }) => latencyMs)).toEqual([400, null, null, 2_000]);
  });

  it('has the most frequent cause of an hour', async () => {
    const id = 'historyhou';
    const gone = { ...timeout, outcome: 'not-found', httpStatus: 404, failure: 'http-404' };
    await addEndpoint(id, [
      [1.1, timeout],
      [1.2, gone],
      [1.3, gone],
      [3, {}],
    ]);
    const query = { endpointId: id, from: T0, to: T0 + 4 * HOUR_MS, eventLimit: 1, eventBytes: 1_000 };
    const found = await readEndpointHistory(database.db, { ...query, rawLimit: 1, dailyOnly: false });
    expect(found?.hourly).toMatchObject([{ error: 'http-404', probes: 3, up: 0 }]);
    const daily = await readEndpointHistory(database.db, { ...query, rawLimit: 1, dailyOnly: true });
    expect(daily).toMatchObject({ raw: [], hourly: [], daily: [{ probes: 4, scored: 4, up: 1 }] });
  });

  it('has the latest failure of 30 days, and the number of failures by cause', async () => {
    const id = 'historybbb';
    await addEndpoint(id, [
      [1, timeout],
      [2, timeout],
      [3, {}],
    ]);
    expect(await readHistory(id, 0, 24)).toMatchObject({
      lastFailure: {
        at: T0 + 2 * HOUR_MS,
        since: T0 + HOUR_MS,
        phase: 'processing',
        httpStatus: null,
        error: 'timeout',
        detail: 'No response within 8 seconds.',
      },
      causes30d: { timeout: 2 },
    });
    expect(await readHistory(id, 24 * 30, 24 * 31)).toMatchObject({ lastFailure: null, causes30d: {} });
  });

  it('has one event when the payTo begins to vary, and none for later changes', async () => {
    const id = 'historyddd';
    await addEndpoint(
      id,
      [1, 2, 3, 4, 5].map((hour) => [hour, { terms: makeTerms('1', `0x${String(hour)}`) }] as const),
    );
    const { events } = await readHistory(id, 0, 24);
    expect(events.map(({ at, event, varies }) => [(at - T0) / HOUR_MS, event, varies])).toEqual([
      [2, 'payto_change', false],
      [3, 'payto_change', true],
    ]);
  });

  it('has the texts of a directory before and after a change', async () => {
    const id = 'historyccc';
    await database.discover('texts', T0, [makeEndpoint(id, { serviceName: 'Old', description: null })]);
    await database.discover('texts', T0 + HOUR_MS, [
      makeEndpoint(id, { serviceName: 'New', description: null }),
    ]);
    const { events } = await readHistory(id, -1, 24);
    expect(events).toMatchObject([
      { event: 'listed', before: null, after: null },
      {
        event: 'metadata_change',
        before: { directory: 'texts', serviceName: 'Old', description: null },
        after: { directory: 'texts', serviceName: 'New', description: null },
      },
    ]);
  });
});

describe('the daily figures', () => {
  it('cover the same probes as the raw ones, also on the first day', async () => {
    const id = 'dailyaaaaa';
    const slow = respondIn(4_000);
    await addEndpoint(id, [
      [1, {}],
      [13, slow],
      [14, timeout],
      [15, { ...timeout, excluded: true }],
      [
        16,
        { ...respondIn(9), vitality: 'neither', outcome: 'blocked', responseBucket: null, compliance: null },
      ],
      [25, {}],
      [30, timeout],
    ]);
    const { raw, daily } = await readHistory(id, 12, 36);
    expect(raw).toHaveLength(6);
    expect(daily.map(({ day, probes, scored, up }) => [day, probes, scored, up])).toEqual([
      ['2026-11-01', 4, 2, 1],
      ['2026-11-02', 2, 2, 1],
    ]);
    const [first] = daily;
    expect(first?.histogram?.flatMap((n, bucket) => (n > 0 ? [bucket] : []))).toEqual([slow.responseBucket]);
  });

  it('count latencies of the first day in the buckets of the score formula', async () => {
    const id = 'dailybbbbb';
    const latencies = fc.sample(fc.double({ min: 0.5, max: 20_000, noNaN: true }), { numRuns: 40, seed: 1 });
    await addEndpoint(
      id,
      latencies.map((ms, i) => [1 + i / 100, respondIn(ms)] as const),
    );
    const [partial] = (await readHistory(id, 0.5, 24)).daily;
    const [complete] = (await readHistory(id, -24, 24)).daily;
    expect(complete).toMatchObject({ day: '2026-11-01', probes: 40 });
    expect(partial).toEqual(complete);
  });

  it('leave out a first day without observations', async () => {
    const id = 'dailyccccc';
    await addEndpoint(id, [
      [1, {}],
      [30, {}],
    ]);
    expect((await readHistory(id, 12, 36)).daily.map(({ day }) => day)).toEqual(['2026-11-02']);
    expect((await readHistory(id, 12 - DAY_MS / HOUR_MS, 36)).daily.map(({ day }) => day)).toEqual([
      '2026-11-01',
      '2026-11-02',
    ]);
  });
});
