import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProcessCounter, type WindowState, withCounterTimeout } from './process-counter.ts';

const policy = { name: 'free', limit: 2, windowSeconds: 60 };

describe('createProcessCounter', () => {
  it('counts each policy of a client separately', () => {
    const counter = createProcessCounter(() => 0);
    counter.count('a', policy);
    counter.count('a', policy);
    expect(counter.count('a', { ...policy, name: 'paid' })).toMatchObject({
      allowed: true,
      remaining: 1,
      resetsAt: 60_000,
    });
    expect(counter.findExhausted('a', policy)).toMatchObject({
      allowed: true,
      remaining: 0,
      resetsAt: 60_000,
    });
    expect(counter.findExhausted('a', { ...policy, name: 'paid' })).toBeNull();
    expect(counter.count('a', policy).allowed).toBe(false);
  });

  it.each([
    ['/64', 1, () => '2001:db8:1:2::/64'],
    ['/56', 4, (index: number) => `2001:db8:1:${(0x200 + index).toString(16)}::/64`],
    ['/48', 16, (index: number) => `2001:db8:1:${(0x100 * index).toString(16)}::/64`],
  ])('limits an IPv6 %s to the requests of %i clients', (_, factor, toClient) => {
    const counter = createProcessCounter(() => 0);
    const allowed = Array.from(
      { length: 100 },
      (__, index) => counter.count(toClient(index), policy).allowed,
    );
    expect(allowed.filter(Boolean)).toHaveLength(factor * policy.limit);
    expect(allowed.lastIndexOf(true)).toBe(factor * policy.limit - 1);
    expect(counter.findExhausted(toClient(255), policy)?.allowed).toBe(false);
    expect(counter.count('2001:db8:2:2::/64', policy).allowed).toBe(true);
  });

  it('counts the refused requests of one /64 in no wider network', () => {
    const counter = createProcessCounter(() => 0);
    for (let count = 0; count < 1_000; count += 1) counter.count('2001:db8:1:2::/64', policy);
    expect(counter.count('2001:db8:1:3::/64', policy).allowed).toBe(true);
  });

  it('counts a request of several messages as several requests', () => {
    const counter = createProcessCounter(() => 0);
    expect(counter.count('a', policy, 2)).toMatchObject({ allowed: true, remaining: 0 });
    expect(counter.count('b', policy, 3)).toMatchObject({ allowed: false, remaining: 0 });
  });

  it('takes over a higher count of other processes, and no lower one', () => {
    const counter = createProcessCounter(() => 0);
    counter.count('a', policy);
    counter.replace('a', policy, { allowed: true, remaining: 2, resetsAt: 9_000 });
    expect(counter.count('a', policy)).toMatchObject({ allowed: true, remaining: 0, resetsAt: 60_000 });
    counter.replace('b', policy, { allowed: true, remaining: 0, resetsAt: 9_000 });
    expect(counter.count('b', policy)).toMatchObject({ allowed: false, remaining: 0, resetsAt: 9_000 });
  });

  it('keeps the windows of the latest clients, so that a busy client is not forgotten', () => {
    const counter = createProcessCounter(() => 0, 100);
    for (let index = 0; index < 1_000; index += 1) {
      counter.count(`client ${index}`, policy);
      counter.count('busy', policy);
    }
    expect(counter.findExhausted('busy', policy)).not.toBeNull();
    for (let index = 0; index < 100; index += 1) counter.count(`other ${index}`, policy);
    expect(counter.findExhausted('busy', policy)).toBeNull();
  });

  it('starts a new window after the clock jumped three hours back', () => {
    let now = 4 * 3_600_000;
    const counter = createProcessCounter(() => now);
    for (let count = 0; count < 3; count += 1) counter.count('a', policy);
    now -= 3 * 3_600_000;
    expect(counter.count('a', policy)).toMatchObject({ allowed: true, remaining: 1, resetsAt: now + 60_000 });
  });
});

const state: WindowState = { allowed: true, remaining: 2, resetsAt: 1_000 };

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
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('returns the result of the counter', async () => {
    const { count } = createCounter();
    expect(await count('one', policy, 1)).toEqual(state);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not call a failed counter for five seconds', async () => {
    const { count, calls } = createCounter(() => Promise.reject(new Error('unavailable')));
    for (let time = 0; time < 10; time += 1) expect(await count('one', policy, 1)).toBeNull();
    vi.advanceTimersByTime(4_999);
    expect(await count('other', policy, 1)).toBeNull();
    expect(calls()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await count('one', policy, 1)).toEqual(state);
    expect(calls()).toBe(2);
  });

  it('calls a failed counter again after the clock was set back', async () => {
    const { count, calls } = createCounter(() => Promise.reject(new Error('unavailable')));
    expect(await count('one', policy, 1)).toBeNull();
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await count('one', policy, 1)).toEqual(state);
    expect(calls()).toBe(2);
  });

  it('waits half a second for an unresponsive counter, then pauses it', async () => {
    const { count, calls } = createCounter(() => new Promise(() => undefined));
    const first = count('one', policy, 1);
    await vi.advanceTimersByTimeAsync(500);
    expect(await first).toBeNull();
    expect(await count('one', policy, 1)).toBeNull();
    expect(calls()).toBe(1);
  });
});
