import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type WindowState, withCounterTimeout } from './process-counter.ts';

const policy = { name: 'free', limit: 3, windowSeconds: 60 };
const state: WindowState = { allowed: true, remaining: 2, resetsAt: 1_000 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * Creates a counter whose calls return the given results one after the other. Also returns a function that counts the
 * calls.
 */
function createCounter(...results: (() => Promise<WindowState>)[]) {
  let calls = 0;
  const consume = () => {
    const result = results[calls] ?? (() => Promise.resolve(state));
    calls += 1;
    return result();
  };
  return { count: withCounterTimeout(consume, Date.now), calls: () => calls };
}

describe('withCounterTimeout', () => {
  it('returns the result of the counter', async () => {
    const { count } = createCounter();
    expect(await count('one', policy)).toEqual(state);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not call a failed counter for five seconds', async () => {
    const { count, calls } = createCounter(() => Promise.reject(new Error('unavailable')));
    for (let time = 0; time < 10; time += 1) expect(await count('one', policy)).toBeNull();
    vi.advanceTimersByTime(4_999);
    expect(await count('other', policy)).toBeNull();
    expect(calls()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await count('one', policy)).toEqual(state);
    expect(calls()).toBe(2);
  });

  it('calls a failed counter again after the clock was set back', async () => {
    const { count, calls } = createCounter(() => Promise.reject(new Error('unavailable')));
    expect(await count('one', policy)).toBeNull();
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await count('one', policy)).toEqual(state);
    expect(calls()).toBe(2);
  });

  it('waits half a second for an unresponsive counter, then pauses it', async () => {
    const { count, calls } = createCounter(() => new Promise(() => undefined));
    const first = count('one', policy);
    await vi.advanceTimersByTimeAsync(500);
    expect(await first).toBeNull();
    expect(await count('one', policy)).toBeNull();
    expect(calls()).toBe(1);
  });
});
