import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createProber, type Prober } from '@touchstone/probe';
import { canaryWatchOf, createCanaryWatch } from './canary-watch.ts';

const silent = createProber({
  resolver: () => Promise.reject(Object.assign(new Error('none'), { code: 'ESERVFAIL' })),
  userAgent: 'test',
});

/** Canaries that answer when they are told to, and remember when each round began. */
function canariesThat(answers: (url: string) => boolean, count = 3) {
  const urls = Array.from({ length: count }, (_, index) => `https://canary${index}.example/`);
  const rounds: number[] = [];
  const prober: Prober = async (target) => {
    if (target.url === urls[0]) rounds.push(performance.now());
    const isThere = answers(target.url);
    const probe = await silent(target);
    return isThere ? { ...probe, httpStatus: 503 } : probe;
  };
  return { canaries: { urls, prober }, rounds };
}

describe('a miss', () => {
  it('is our own fault when no canary answers, and not when any of them does', async () => {
    expect(await createCanaryWatch(canariesThat(() => false).canaries, 20)()).toBe(true);
    const one = canariesThat((url) => url.includes('canary2'));
    expect(await createCanaryWatch(one.canaries, 20)()).toBe(false);
  });

  it('is nobody’s fault that could be known without canaries', async () => {
    expect(await createCanaryWatch(undefined)()).toBe(false);
    expect(await createCanaryWatch(canariesThat(() => false, 0).canaries)()).toBe(false);
  });

  it('is judged by a round after it, never by an answer from before the line was cut', async () => {
    let isReachable = true;
    const { canaries } = canariesThat(() => isReachable);
    const wasOurFault = createCanaryWatch(canaries, 60);
    expect(await wasOurFault()).toBe(false);
    isReachable = false;
    expect(await wasOurFault()).toBe(true);
  });

  it('is our own fault also when the line was back soon after it', async () => {
    let isReachable = false;
    const { canaries } = canariesThat(() => isReachable);
    const wasOurFault = createCanaryWatch(canaries, 60);
    await wasOurFault();
    isReachable = true;
    expect(await wasOurFault()).toBe(true);
    expect(await wasOurFault()).toBe(false);
  });

  it('has nothing to do with a line that was cut long before', async () => {
    let isReachable = false;
    const { canaries } = canariesThat(() => isReachable);
    const wasOurFault = createCanaryWatch(canaries, 20);
    await wasOurFault();
    isReachable = true;
    await sleep(60);
    expect(await wasOurFault()).toBe(false);
  });
});

describe('the canaries', () => {
  it('are asked no oftener than is set, however much is missed, and never while nothing is', async () => {
    const { canaries, rounds } = canariesThat(() => true);
    const wasOurFault = createCanaryWatch(canaries, 100);
    const verdicts: Promise<boolean>[] = [];
    const startedAt = performance.now();
    while (performance.now() - startedAt < 450) {
      verdicts.push(wasOurFault(), wasOurFault());
      await sleep(10);
    }
    expect(new Set(await Promise.all(verdicts))).toEqual(new Set([false]));
    const count = rounds.length;
    expect(count).toBeGreaterThanOrEqual(4);
    expect(count).toBeLessThanOrEqual(6);
    for (const [index, at] of rounds.entries()) {
      if (index > 0) expect(at - (rounds[index - 1] ?? 0)).toBeGreaterThanOrEqual(98);
    }
    await sleep(250);
    expect(rounds).toHaveLength(count);
  });

  it('are asked once for all batches of this process', async () => {
    const { canaries, rounds } = canariesThat(() => true);
    const [one, other] = [canaryWatchOf(canaries), canaryWatchOf(canaries)];
    expect(await Promise.all([one(), other(), one()])).toEqual([false, false, false]);
    expect(rounds).toHaveLength(1);
    expect(canaryWatchOf(canariesThat(() => true).canaries)).not.toBe(one);
  });
});
