import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProber, type Prober } from '@touchstone/probe';
import { runWithClock, useFakeClock } from '../testing/fake-clock.ts';
import { createObserved } from '../testing/observed.ts';
import { MAX_LAG_MS } from './event-loop-lag.ts';
import {
  createCanaryCheck,
  createSelfFailureFilter,
  getSharedCanaryCheck,
} from './self-inflicted-failures.ts';

const unreachable = createProber({
  resolver: () => Promise.reject(Object.assign(new Error('none'), { code: 'ESERVFAIL' })),
  userAgent: 'test',
});
/** Result of a canary request without a response. */
const failedProbe = await unreachable({ url: 'https://canary.example/', methods: ['GET'] });

/**
 * Creates canaries. A canary responds if `responds` returns true for its URL. `rounds` contains the start time of each
 * round of canary requests.
 */
function createCanaries(responds: (url: string) => boolean, count = 3) {
  const urls = Array.from({ length: count }, (_, index) => `https://canary${index}.example/`);
  const rounds: number[] = [];
  const prober: Prober = ({ url }) => {
    if (url === urls[0]) rounds.push(performance.now());
    return Promise.resolve({ ...failedProbe, url, httpStatus: responds(url) ? 503 : null });
  };
  return { canaries: { urls, prober }, rounds };
}

describe('createCanaryCheck', () => {
  beforeEach(useFakeClock);
  afterEach(() => vi.useRealTimers());

  it('reports our own failure when no canary responds, and not when one of them does', async () => {
    expect(await runWithClock(createCanaryCheck(createCanaries(() => false).canaries, 20)())).toBe(true);
    const one = createCanaries((url) => url.includes('canary2'));
    expect(await runWithClock(createCanaryCheck(one.canaries, 20)())).toBe(false);
  });

  it('never reports our own failure without canaries', async () => {
    expect(await runWithClock(createCanaryCheck(undefined)())).toBe(false);
    expect(await runWithClock(createCanaryCheck(createCanaries(() => false, 0).canaries)())).toBe(false);
  });

  it('judges a miss by a round that begins after it, not by a response before the outage', async () => {
    let isReachable = true;
    const { canaries } = createCanaries(() => isReachable);
    const isOurFailure = createCanaryCheck(canaries, 60);
    expect(await runWithClock(isOurFailure())).toBe(false);
    isReachable = false;
    expect(await runWithClock(isOurFailure())).toBe(true);
  });

  it('reports our own failure when the network returned soon after the miss', async () => {
    let isReachable = false;
    const { canaries } = createCanaries(() => isReachable);
    const isOurFailure = createCanaryCheck(canaries, 60);
    await runWithClock(isOurFailure());
    isReachable = true;
    expect(await runWithClock(isOurFailure())).toBe(true);
    expect(await runWithClock(isOurFailure())).toBe(false);
  });

  it('ignores an outage that ended long before the miss', async () => {
    let isReachable = false;
    const { canaries } = createCanaries(() => isReachable);
    const isOurFailure = createCanaryCheck(canaries, 20);
    await runWithClock(isOurFailure());
    isReachable = true;
    vi.advanceTimersByTime(2 * 20 + 1);
    expect(await runWithClock(isOurFailure())).toBe(false);
  });
});

describe('canary requests', () => {
  beforeEach(useFakeClock);
  afterEach(() => vi.useRealTimers());

  it('keep the minimum interval for any number of misses, and stop without misses', async () => {
    const { canaries, rounds } = createCanaries(() => true);
    const isOurFailure = createCanaryCheck(canaries, 100);
    const verdicts: Promise<boolean>[] = [];
    const startedAt = performance.now();
    while (performance.now() - startedAt < 450) {
      verdicts.push(isOurFailure(), isOurFailure());
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(new Set(await runWithClock(Promise.all(verdicts)))).toEqual(new Set([false]));
    const count = rounds.length;
    expect(count).toBeGreaterThanOrEqual(4);
    expect(count).toBeLessThanOrEqual(6);
    for (const [index, at] of rounds.entries()) {
      if (index > 0) expect(at - (rounds[index - 1] ?? 0)).toBeGreaterThanOrEqual(100);
    }
    await vi.advanceTimersByTimeAsync(250);
    expect(rounds).toHaveLength(count);
  });

  it('are shared by all batches of this process', async () => {
    const { canaries, rounds } = createCanaries(() => true);
    const [one, other] = [getSharedCanaryCheck(canaries), getSharedCanaryCheck(canaries)];
    expect(await runWithClock(Promise.all([one(), other(), one()]))).toEqual([false, false, false]);
    expect(rounds).toHaveLength(1);
    expect(getSharedCanaryCheck(createCanaries(() => true).canaries)).not.toBe(one);
  });
});

const calm = {
  getRecentLagMs: () => 0,
  stop: () => 0,
};
const up = createObserved();
const gone = createObserved({
  outcome: 'not-found',
  vitality: 'down',
  httpStatus: 404,
  bucket: null,
  responseBucket: null,
  failure: 'http-404',
  failurePhase: 'response',
});
const miss = createObserved({
  outcome: 'timeout',
  vitality: 'down',
  httpStatus: null,
  latencyMs: null,
  bucket: null,
  responseMs: null,
  responseBucket: null,
  failure: 'timeout',
  failurePhase: 'connect',
});

const ownFailure = () => Promise.resolve(true);
const notOurs = () => Promise.resolve(false);

describe('createSelfFailureFilter', () => {
  it('excludes misses that are our own failures and keeps responses', async () => {
    const { apply, getCounts } = createSelfFailureFilter(ownFailure, calm);
    const [first, second, third] = await apply([up, miss, gone]);
    expect(first).toEqual(up);
    expect(second?.observation).toEqual({ ...miss.observation, excluded: true });
    expect(third).toEqual(gone);
    expect(getCounts()).toEqual({ excluded: 1, latenciesDropped: 0 });
  });

  it('starts the canary check once per miss when it arrives, and not for responses', async () => {
    let checks = 0;
    const { noteResult, apply } = createSelfFailureFilter(() => {
      checks += 1;
      return notOurs();
    }, calm);
    const [one, other] = [{ ...miss }, { ...miss }];
    for (const observed of [up, gone, one, other]) noteResult(observed);
    expect(checks).toBe(2);
    await apply([up, gone, one, other]);
    expect(checks).toBe(2);
  });

  it('judges each miss by the canary check of its own time', async () => {
    let isOffline = true;
    const { noteResult, apply, getCounts } = createSelfFailureFilter(() => Promise.resolve(isOffline), calm);
    const [early, late] = [{ ...miss }, { ...miss }];
    noteResult(early);
    isOffline = false;
    noteResult(late);
    const judged = await apply([early, late]);
    expect(judged.map(({ observation }) => observation.excluded)).toEqual([true, false]);
    expect(getCounts().excluded).toBe(1);
  });

  it('rejects when the canary check fails', async () => {
    const { noteResult, apply } = createSelfFailureFilter(() => Promise.reject(new Error('no canary')), calm);
    noteResult(miss);
    await expect(apply([up, miss])).rejects.toThrow('no canary');
    expect(await apply([up])).toEqual([up]);
  });
});

describe('a batch of a busy process', () => {
  it('keeps its outcomes and loses its timings', async () => {
    const { apply, getCounts } = createSelfFailureFilter(notOurs, {
      ...calm,
      getRecentLagMs: () => MAX_LAG_MS + 0.1,
    });
    const [first, second] = await apply([up, miss]);
    expect(first?.observation).toEqual({
      ...up.observation,
      ...{ latencyMs: null, bucket: null, responseMs: null, responseBucket: null },
    });
    expect(second?.observation).toMatchObject({ outcome: 'timeout', vitality: 'down', excluded: false });
    expect(getCounts()).toEqual({ excluded: 0, latenciesDropped: 1 });
  });

  it('keeps its timings at the exact lag limit', async () => {
    const { apply } = createSelfFailureFilter(notOurs, { ...calm, getRecentLagMs: () => MAX_LAG_MS });
    expect(await apply([up])).toEqual([up]);
  });
});
