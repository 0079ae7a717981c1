import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import { recordLiveProbe, type Observation } from '../index.ts';
import { makeId, makeObservation, useTestDatabase, T0 } from '../testing/fixtures.ts';

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

/**
 * Creates an endpoint. The returned functions record an observation, or read the state, at a number of hours after T0.
 */
async function createEndpoint(id: string) {
  await database.discover(`failures ${id}`, T0, [id]);
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

/** Returns a function that records a live probe of an endpoint at a number of hours after T0. */
function recordLive(id: string) {
  return (hour: number, extra: Partial<Observation>) =>
    recordLiveProbe(database.db, T0 + hour * HOUR_MS, {
      observation: makeObservation(id, T0 + hour * HOUR_MS, extra),
      challenge: null,
    });
}

const PROBES = { up: {}, timeout, gone, blocked, ours: { ...timeout, excluded: true } } as const;
let series = 0;

describe('the last failure', () => {
  it.each([
    ['is absent before the first failure', '1 up', null, null],
    [
      'has the start of the outage, also when the cause changes',
      '1 up, 2 timeout, 3 gone',
      2,
      { at: 3, since: 2, error: 'http-410' },
    ],
    ['stays after a recovery', '1 gone, 2 up', null, { at: 1, since: 1, error: 'http-410' }],
    [
      'of the next outage has its own start',
      '1 gone, 2 up, 3 timeout',
      3,
      { at: 3, since: 3, error: 'timeout' },
    ],
    [
      'can be a refusal, and is not a failure of our own',
      '1 blocked, 2 ours',
      1,
      { at: 1, error: 'http-403' },
    ],
    [
      'is kept by a failure of our own after a recovery',
      '1 blocked, 3 up, 4 ours',
      null,
      { at: 1, error: 'http-403' },
    ],
    ['is not changed by a late failure', '2 gone, 1 timeout', 2, { at: 2, since: 2, error: 'http-410' }],
    [
      'is not changed by a late failure before a success',
      '2 gone, 4 up, 3 timeout',
      null,
      { at: 2, error: 'http-410' },
    ],
  ] as const)('%s', async (...[, probes, since, last]) => {
    const { at, read } = await createEndpoint(`faile${makeId((series += 1)).slice(-5)}`);
    for (const [, hour, name] of probes.matchAll(/(\d) (\w+)/g)) {
      // The cast is safe, because the table has only names of PROBES.
      await at(Number(hour), PROBES[name as keyof typeof PROBES]);
    }
    expect(await read()).toMatchObject({ since, last });
  });

  it('has the cause of the failure', async () => {
    const { at, read } = await createEndpoint('failecause');
    await at(1, gone);
    expect((await read()).last).toMatchObject({
      phase: 'response',
      httpStatus: 410,
      error: 'http-410',
      detail: 'HTTP 410 Gone.',
    });
  });

  it('is updated by a live probe whose cause differs', async () => {
    const { at, read } = await createEndpoint('failelivea');
    await at(1, timeout);
    const record = recordLive('failelivea');
    expect(await record(2, { ...timeout, challengeHash: null })).toBe(false);
    expect(await record(3, gone)).toBe(true);
    const { last, input } = await read();
    expect(last).toMatchObject({ since: 1, error: 'http-410' });
    expect(input.sums?.causes).toEqual({ timeout: 1 });
  });
});

describe('a live probe that fails as the probe before', () => {
  it('is the latest failure, and its outage keeps its start', async () => {
    const { at, read } = await createEndpoint('failelived');
    await at(1, gone);
    const detail = 'HTTP 410 Gone, after a redirect.';
    expect(await recordLive('failelived')(3, { ...gone, failureDetail: detail })).toBe(false);
    const { last, since, input } = await read();
    expect({ last, since }).toMatchObject({
      ...{ last: { at: 3, since: 1, error: 'http-410', httpStatus: 410, detail }, since: 1 },
    });
    // The failure was scored, so it does not end a series of failures that could not be scored.
    expect(input.state.lastCountedAt).toBe(T0 + 3 * HOUR_MS);
    expect(input.sums?.causes).toEqual({ 'http-410': 1 });
  });

  it('is the latest failure, even if it could not be scored', async () => {
    const { at, read } = await createEndpoint('failelivee');
    await at(0);
    await at(1, blocked);
    await recordLive('failelivee')(3, blocked);
    const { last, input } = await read();
    expect(last).toMatchObject({ at: 3, since: 1, error: 'http-403' });
    expect(input.state.lastCountedAt).toBe(T0);
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
