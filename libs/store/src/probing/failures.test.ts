import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import { recordLiveProbe, type Observation } from '../index.ts';
import { makeEndpoint, makeObservation, useTestDatabase, T0 } from '../testing/fixtures.ts';

const database = useTestDatabase();

const failed = { compliance: null, bucket: null, responseMs: null, responseBucket: null } as const;
const timeout = {
  ...failed,
  vitality: 'down',
  outcome: 'timeout',
  httpStatus: null,
  failure: 'timeout',
  failurePhase: 'processing',
  failureDetail: 'No response within 8 seconds.',
} as const;
const gone = {
  ...failed,
  vitality: 'down',
  outcome: 'not-found',
  httpStatus: 410,
  failure: 'http-410',
  failurePhase: 'response',
  failureDetail: 'HTTP 410 Gone.',
} as const;
const blocked = {
  ...failed,
  vitality: 'neither',
  outcome: 'blocked',
  httpStatus: 403,
  failure: 'http-403',
  failurePhase: 'response',
  failureDetail: 'HTTP 403 Forbidden.',
} as const;

/** Creates an endpoint, and returns functions that record an observation and read the state at an hour after T0. */
async function createEndpoint(id: string) {
  await database.discover(`failures ${id}`, T0, [makeEndpoint(id)]);
  return {
    at: (hour: number, extra: Partial<Observation> = {}) =>
      database.record([makeObservation(id, T0 + hour * HOUR_MS, extra)], T0 + hour * HOUR_MS + MINUTE_MS),
    read: async () => {
      const input = await database.readInput(id, T0 + DAY_MS);
      if (input === undefined) throw new Error(`${id} has no scoring input.`);
      const toHour = (at: number | null): number | null => at && (at - T0) / HOUR_MS;
      const { failingSince, lastFailure } = input.state;
      return {
        input,
        since: toHour(failingSince),
        last: lastFailure && { ...lastFailure, at: toHour(lastFailure.at), since: toHour(lastFailure.since) },
      };
    },
  };
}

describe('the last failure', () => {
  it('has the cause and the start of the outage, also when the cause changes', async () => {
    const { at, read } = await createEndpoint('faileaaaaa');
    await at(1);
    expect(await read()).toMatchObject({ since: null, last: null });
    await at(2, timeout);
    expect(await read()).toMatchObject({
      since: 2,
      last: {
        at: 2,
        since: 2,
        phase: 'processing',
        httpStatus: null,
        error: 'timeout',
        detail: 'No response within 8 seconds.',
      },
    });
    await at(3, gone);
    expect(await read()).toMatchObject({
      since: 2,
      last: {
        at: 3,
        since: 2,
        phase: 'response',
        httpStatus: 410,
        error: 'http-410',
        detail: 'HTTP 410 Gone.',
      },
    });
  });

  it('stays after a recovery, and the next outage has its own start', async () => {
    const { at, read } = await createEndpoint('failebbbbb');
    await at(1, gone);
    await at(2);
    expect(await read()).toMatchObject({ since: null, last: { at: 1, since: 1, error: 'http-410' } });
    await at(3, timeout);
    expect(await read()).toMatchObject({ since: 3, last: { at: 3, since: 3, error: 'timeout' } });
  });

  it('can be a refusal, but is not changed by our own failures', async () => {
    const { at, read } = await createEndpoint('failecceaa');
    await at(1, blocked);
    await at(2, { ...timeout, excluded: true });
    expect(await read()).toMatchObject({ since: 1, last: { at: 1, error: 'http-403' } });
    await at(3);
    await at(4, { ...timeout, excluded: true });
    expect(await read()).toMatchObject({ since: null, last: { at: 1, error: 'http-403' } });
  });

  it('is not changed by late observations', async () => {
    const { at, read } = await createEndpoint('failedddda');
    await at(2, gone);
    await at(1, timeout);
    expect(await read()).toMatchObject({ since: 2, last: { at: 2, since: 2, error: 'http-410' } });
    await at(4);
    await at(3, timeout);
    expect(await read()).toMatchObject({ since: null, last: { at: 2, error: 'http-410' } });
  });

  it('is the same for one batch as for many', async () => {
    const id = 'failebatch';
    await database.discover('failures batch', T0, [makeEndpoint(id)]);
    const rows = [{}, timeout, gone].map((extra, i) => makeObservation(id, T0 + i * HOUR_MS, extra));
    await database.record(rows, T0 + 3 * HOUR_MS);
    expect((await database.readInput(id, T0 + DAY_MS))?.state).toMatchObject({
      failingSince: T0 + HOUR_MS,
      lastFailure: { at: T0 + 2 * HOUR_MS, since: T0 + HOUR_MS, error: 'http-410' },
    });
  });

  it('is updated by a live probe whose cause differs', async () => {
    const { at, read } = await createEndpoint('failelivea');
    await at(1, timeout);
    const record = (hour: number, extra: Partial<Observation>) =>
      recordLiveProbe(database.db, T0 + hour * HOUR_MS, {
        observation: makeObservation('failelivea', T0 + hour * HOUR_MS, extra),
        challenge: null,
      });
    expect(await record(2, { ...timeout, challengeHash: null })).toBe(false);
    expect(await record(3, gone)).toBe(true);
    const { last, input } = await read();
    expect(last).toMatchObject({ since: 1, error: 'http-410' });
    expect(input.sums?.causes).toEqual({ timeout: 1 });
  });
});

describe('the daily rollup', () => {
  it('counts the failed probes by cause over all days', async () => {
    const { at, read } = await createEndpoint('causesaaaa');
    await at(-30, gone);
    await at(1, timeout);
    await at(2, gone);
    await at(3, blocked);
    await at(4, gone);
    await at(5, { ...timeout, excluded: true });
    await at(6);
    expect((await read()).input.sums?.causes).toEqual({ timeout: 1, 'http-410': 3, 'http-403': 1 });
  });

  it('has the times to the last byte beside those to the first byte', async () => {
    const { at, read } = await createEndpoint('responseaa');
    await at(-30, { latencyMs: 100, bucket: 32, responseMs: 400, responseBucket: 41 });
    await at(1, { latencyMs: 100, bucket: 32, responseMs: 500, responseBucket: 43 });
    await at(2, { latencyMs: 100, bucket: 32, responseMs: null, responseBucket: null });
    await at(3, { ...gone, latencyMs: 50, responseMs: 60 });
    const { sums } = (await read()).input;
    expect(sums).toMatchObject({ latencyN: 3, latencySumMs: 300, responseN: 2, responseSumMs: 900 });
    expect(sums?.latencyHistogram?.[32]).toBe(3);
    expect(sums?.responseHistogram?.flatMap((n, bucket) => (n > 0 ? [[bucket, n]] : []))).toEqual([
      [41, 1],
      [43, 1],
    ]);
  });

  it('has no response histogram when no response was complete', async () => {
    const { at, read } = await createEndpoint('responsebb');
    await at(1, { responseMs: null, responseBucket: null });
    expect((await read()).input.sums).toMatchObject({ latencyN: 1, responseN: 0, responseHistogram: null });
  });
});
