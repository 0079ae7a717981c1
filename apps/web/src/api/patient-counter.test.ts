import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { patientCounter } from './patient-counter.ts';
import type { Taken } from './rate-limit.ts';

const policy = { name: 'free', limit: 3, windowSeconds: 60 };
const taken: Taken = { allowed: true, remaining: 2, resetsAt: 1_000 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A counter whose answers are given one after the other, and how often it was asked. */
function counter(...answers: (() => Promise<Taken>)[]) {
  let asked = 0;
  const take = () => {
    const answer = answers[asked] ?? (() => Promise.resolve(taken));
    asked += 1;
    return answer();
  };
  return { ask: patientCounter(take, Date.now), asked: () => asked };
}

describe('patientCounter', () => {
  it('says what the counter says', async () => {
    const { ask } = counter();
    expect(await ask('one', policy)).toEqual(taken);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not ask one that failed for five seconds', async () => {
    const { ask, asked } = counter(() => Promise.reject(new Error('away')));
    for (let time = 0; time < 10; time += 1) expect(await ask('one', policy)).toBeNull();
    vi.advanceTimersByTime(4_999);
    expect(await ask('other', policy)).toBeNull();
    expect(asked()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await ask('one', policy)).toEqual(taken);
    expect(asked()).toBe(2);
  });

  it('waits half a second for one that does not answer, once', async () => {
    const { ask, asked } = counter(() => new Promise(() => undefined));
    const first = ask('one', policy);
    await vi.advanceTimersByTimeAsync(500);
    expect(await first).toBeNull();
    expect(await ask('one', policy)).toBeNull();
    expect(asked()).toBe(1);
  });
});
