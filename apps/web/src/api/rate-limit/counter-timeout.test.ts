import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withCounterTimeout } from './counter-timeout.ts';
import { createLimiter } from './create-limiter.ts';
import { createProcessCounter, type WindowState } from './process-counter.ts';

const policy = { name: 'free', limit: 3, windowSeconds: 60 };
const state: WindowState = { allowed: true, remaining: 2, resetsAt: 1_000 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates a counter whose calls return the given results in order, and a function that returns the number of calls. */
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

it('limits each client while the database never responds', async () => {
  const limiter = createLimiter({
    policy: { name: 'free', limit: 300, windowSeconds: 60 },
    counter: createProcessCounter(Date.now),
    countShared: withCounterTimeout(() => new Promise(() => undefined), Date.now),
    getClient: (request) => request.headers.get('client') ?? '',
    now: Date.now,
  });
  const send = async (client: string): Promise<number> => {
    const request = new Request('http://localhost/v1/free', { headers: { client } });
    const sent = limiter(request, () => Promise.resolve(new Response('response')));
    await vi.advanceTimersByTimeAsync(vi.getTimerCount() === 0 ? 0 : 500);
    return (await sent).status;
  };
  for (let sent = 0; sent < 300; sent += 1) expect(await send('one')).toBe(200);
  expect(await send('one')).toBe(429);
  expect(await send('other')).toBe(200);
});
