import { describe, expect, it } from 'vitest';
import { createProber, type Prober } from '@touchstone/probe';
import { startJudge } from './judge-batch.ts';
import { LAG_LIMIT_MS } from './lag-meter.ts';
import { observedOf } from './testing/observed.ts';

const calm = { recentLagMs: () => 0, stop: () => ({ lagMsP99: 0, lagMsMax: 0, cpuSeconds: 0, cpuShare: 0 }) };
const up = observedOf();
const gone = observedOf({ outcome: 'not-found', vitality: 'down', httpStatus: 404, bucket: null });
const miss = observedOf({
  outcome: 'timeout',
  vitality: 'down',
  httpStatus: null,
  latencyMs: null,
  bucket: null,
  failure: 'connect ERR_DEADLINE',
});

/** Canaries at the given addresses of nobody; whether they answer is decided when they are asked. */
function canariesThat(answers: () => boolean, count = 2) {
  const silent = createProber({
    resolver: () => Promise.reject(Object.assign(new Error('none'), { code: 'ESERVFAIL' })),
    userAgent: 'test',
  });
  let asked = 0;
  const prober: Prober = async (target) => {
    asked += 1;
    const probe = await silent(target);
    return answers() ? { ...probe, httpStatus: 503 } : probe;
  };
  const urls = Array.from({ length: count }, (_, index) => `https://canary${index}.example/`);
  return { canaries: { urls, prober }, asked: () => asked };
}

describe('a batch in which no canary answers', () => {
  it('holds no miss against anybody, and keeps the answers that came', async () => {
    const { canaries } = canariesThat(() => false);
    const { judge, judgement } = startJudge({ canaries }, calm);
    const [first, second, third] = await judge([up, miss, gone]);
    expect(first).toEqual(up);
    expect(second?.observation).toEqual({ ...miss.observation, excluded: true });
    expect(third).toEqual(gone);
    expect(judgement()).toEqual({ excluded: 1, latenciesDropped: 0 });
  });

  it('is one only when all of them are silent', async () => {
    let turn = 0;
    const { canaries } = canariesThat(() => (turn += 1) % 3 === 0, 3);
    const { judge } = startJudge({ canaries }, calm);
    expect(await judge([miss])).toEqual([miss]);
  });

  it.each([
    ['before', [false, true]],
    ['after', [true, false]],
  ])('is found also when they were silent only %s the miss', async (_, rounds) => {
    const { canaries } = canariesThat(() => rounds.shift() ?? true, 1);
    const { judge, judgement } = startJudge({ canaries }, calm);
    await judge([miss]);
    expect(judgement().excluded).toBe(1);
  });

  it('does not touch the slices of a time when they answered', async () => {
    let reachable = true;
    const { canaries } = canariesThat(() => reachable);
    const { judge, judgement } = startJudge({ canaries }, calm);
    expect(await judge([miss, up])).toEqual([miss, up]);
    reachable = false;
    await judge([miss, miss]);
    reachable = true;
    await judge([miss]);
    expect(judgement().excluded).toBe(3);
    expect(await judge([miss])).toEqual([miss]);
  });

  it('asks them once for a batch without a miss, and never where there are none', async () => {
    const { canaries, asked } = canariesThat(() => true);
    const { judge } = startJudge({ canaries }, calm);
    for (let count = 0; count < 5; count += 1) await judge([up, gone]);
    expect(asked()).toBe(2);
    const without = startJudge({}, calm);
    expect(await without.judge([miss])).toEqual([miss]);
    expect(await startJudge({ canaries: { ...canaries, urls: [] } }, calm).judge([miss])).toEqual([miss]);
  });
});

describe('a batch for which this process was too busy', () => {
  it('keeps its outcomes and loses its times', async () => {
    const { judge, judgement } = startJudge({}, { ...calm, recentLagMs: () => LAG_LIMIT_MS + 0.1 });
    const [first, second] = await judge([up, miss]);
    expect(first?.observation).toEqual({
      ...up.observation,
      ...{ latencyMs: null, bucket: null, resolveMs: null, connectMs: null, tlsMs: null },
      ...{ processingMs: null, transferMs: null },
    });
    expect(second?.observation).toMatchObject({ outcome: 'timeout', vitality: 'down', excluded: false });
    expect(judgement()).toEqual({ excluded: 0, latenciesDropped: 1 });
  });

  it('is no such batch at the limit', async () => {
    const { judge } = startJudge({}, { ...calm, recentLagMs: () => LAG_LIMIT_MS });
    expect(await judge([up])).toEqual([up]);
  });
});
