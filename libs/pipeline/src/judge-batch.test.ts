import { describe, expect, it } from 'vitest';
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

const ours = () => Promise.resolve(true);
const theirs = () => Promise.resolve(false);

describe('what was missed', () => {
  it('through our own fault is held against nobody, and the answers that came are kept', async () => {
    const { judge, judgement } = startJudge(ours, calm);
    const [first, second, third] = await judge([up, miss, gone]);
    expect(first).toEqual(up);
    expect(second?.observation).toEqual({ ...miss.observation, excluded: true });
    expect(third).toEqual(gone);
    expect(judgement()).toEqual({ excluded: 1, latenciesDropped: 0 });
  });

  it('through the fault of others stays as it is', async () => {
    const { judge, judgement } = startJudge(theirs, calm);
    expect(await judge([miss, up])).toEqual([miss, up]);
    expect(judgement().excluded).toBe(0);
  });

  it('is asked about once, when it is noticed, and what was answered not at all', async () => {
    let asked = 0;
    const { notice, judge } = startJudge(() => {
      asked += 1;
      return theirs();
    }, calm);
    const [one, other] = [{ ...miss }, { ...miss }];
    for (const observed of [up, gone, one, other]) notice(observed);
    expect(asked).toBe(2);
    await judge([up, gone, one, other]);
    expect(asked).toBe(2);
  });

  it('is judged by what was true at its own time', async () => {
    let isCut = true;
    const { notice, judge, judgement } = startJudge(() => Promise.resolve(isCut), calm);
    const [early, late] = [{ ...miss }, { ...miss }];
    notice(early);
    isCut = false;
    notice(late);
    const judged = await judge([early, late]);
    expect(judged.map(({ observation }) => observation.excluded)).toEqual([true, false]);
    expect(judgement().excluded).toBe(1);
  });

  it('is not recorded when nobody can say whose fault it was', async () => {
    const { notice, judge } = startJudge(() => Promise.reject(new Error('no canary')), calm);
    notice(miss);
    await expect(judge([up, miss])).rejects.toThrow('no canary');
    expect(await judge([up])).toEqual([up]);
  });
});

describe('a batch for which this process was too busy', () => {
  it('keeps its outcomes and loses its times', async () => {
    const { judge, judgement } = startJudge(theirs, { ...calm, recentLagMs: () => LAG_LIMIT_MS + 0.1 });
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
    const { judge } = startJudge(theirs, { ...calm, recentLagMs: () => LAG_LIMIT_MS });
    expect(await judge([up])).toEqual([up]);
  });
});
