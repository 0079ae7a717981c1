import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runWithClock, useFakeClock } from './testing/fake-clock.ts';
import { createHostAcquirer, createHostRateLimiter } from './host-rate-limiter.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const T0 = Date.UTC(2026, 10, 1);
const tooMany = (retryAfterSeconds: number | null = null) => ({ httpStatus: 429, retryAfterSeconds });

describe('a host that responds with 429', () => {
  it('is paused for a minute, doubled by each further 429, at most an hour', () => {
    const limiter = createHostRateLimiter();
    const pauses: number[] = [];
    let now = T0;
    for (let count = 0; count < 9; count += 1) {
      limiter.recordResponse('a.example', tooMany(), now);
      const until = limiter.getPausedUntil('a.example', now) ?? now;
      pauses.push((until - now) / MINUTE);
      now = until;
      expect(limiter.getPausedUntil('a.example', now)).toBeNull();
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(limiter.getPausedUntil('b.example', T0)).toBeNull();
  });

  it('is not paused for hours when the clock was hours ahead and is set back', () => {
    const limiter = createHostRateLimiter();
    const ahead = T0 + 3 * HOUR;
    limiter.recordResponse('host', tooMany(), ahead);
    expect(limiter.getPausedUntil('host', ahead)).toBe(ahead + MINUTE);
    expect(limiter.getPausedUntil('host', T0)).toBeNull();
    limiter.recordResponse('host', tooMany(), T0);
    expect(limiter.getPausedUntil('host', T0)).toBe(T0 + MINUTE);
    expect(limiter.getPausedUntil('host', T0 - 30 * SECOND)).toBe(T0 + MINUTE);
  });

  it('is paused for a longer Retry-After', () => {
    const limiter = createHostRateLimiter();
    limiter.recordResponse('a.example', tooMany(6 * 3600), T0);
    expect(limiter.getPausedUntil('a.example', T0)).toBe(T0 + 6 * HOUR);
    limiter.recordResponse('b.example', tooMany(5), T0);
    expect(limiter.getPausedUntil('b.example', T0)).toBe(T0 + MINUTE);
  });

  it('is not paused longer by requests in flight at the first 429', () => {
    const limiter = createHostRateLimiter();
    for (let count = 0; count < 5; count += 1) limiter.recordResponse('a.example', tooMany(), T0 + count);
    expect(limiter.getPausedUntil('a.example', T0 + 5)).toBe(T0 + MINUTE);
    limiter.recordResponse('a.example', tooMany(120), T0 + 10);
    expect(limiter.getPausedUntil('a.example', T0 + 10)).toBe(T0 + 10 + 2 * MINUTE);
  });

  it('starts again with a minute after another response', () => {
    const limiter = createHostRateLimiter();
    limiter.recordResponse('a.example', tooMany(), T0);
    limiter.recordResponse('a.example', tooMany(), T0 + MINUTE);
    limiter.recordResponse('a.example', { httpStatus: 402, retryAfterSeconds: null }, T0 + 10 * MINUTE);
    limiter.recordResponse('a.example', tooMany(), T0 + 11 * MINUTE);
    expect(limiter.getPausedUntil('a.example', T0 + 11 * MINUTE)).toBe(T0 + 12 * MINUTE);
  });

  it('stays paused after a missing response and after a response that was in flight', () => {
    const limiter = createHostRateLimiter();
    limiter.recordResponse('a.example', tooMany(), T0);
    limiter.recordResponse('a.example', { httpStatus: 402, retryAfterSeconds: null }, T0 + 1);
    expect(limiter.getPausedUntil('a.example', T0 + 1)).toBe(T0 + MINUTE);
    limiter.recordResponse('a.example', { httpStatus: null, retryAfterSeconds: null }, T0 + 2 * MINUTE);
    limiter.recordResponse('a.example', tooMany(), T0 + 3 * MINUTE);
    expect(limiter.getPausedUntil('a.example', T0 + 3 * MINUTE)).toBe(T0 + 5 * MINUTE);
  });
});

it('forgets ended pauses, and no others, after 429 of ten thousand hosts', () => {
  const limiter = createHostRateLimiter();
  limiter.recordResponse('ended', tooMany(), T0);
  limiter.recordResponse('long', tooMany(7_200), T0);
  const later = T0 + 2 * MINUTE;
  for (let count = 0; count < 10_000; count += 1)
    limiter.recordResponse(`${count}.example`, tooMany(), later);
  // A host that is not remembered begins a new series of pauses.
  limiter.recordResponse('ended', tooMany(), later);
  expect(limiter.getPausedUntil('ended', later)).toBe(later + MINUTE);
  expect(limiter.getPausedUntil('long', later)).toBe(T0 + 2 * HOUR);
  expect(limiter.getPausedUntil('7.example', later)).toBe(later + MINUTE);
});

describe('Retry-After without 429', () => {
  it.each([
    [503, 120, 2],
    [403, 60, 1],
    // The pause is limited to one probe interval, so that a host cannot hide a longer outage.
    [503, 24 * 3600, 30],
  ])('%i with %i s pauses the host for %i minutes', (httpStatus, retryAfterSeconds, minutes) => {
    const limiter = createHostRateLimiter();
    limiter.recordResponse('a.example', { httpStatus, retryAfterSeconds }, T0);
    expect(limiter.getPausedUntil('a.example', T0)).toBe(T0 + minutes * MINUTE);
  });

  it.each([
    [402, 3600],
    [200, 3600],
    [301, 3600],
    [503, 0],
  ])('%i with %i s pauses no host', (httpStatus, retryAfterSeconds) => {
    const limiter = createHostRateLimiter();
    limiter.recordResponse('a.example', { httpStatus, retryAfterSeconds }, T0);
    expect(limiter.getPausedUntil('a.example', T0)).toBeNull();
  });
});

describe('the target of a redirect', () => {
  const { signal } = new AbortController();

  it('is paused by its own response, and is not requested then', async () => {
    const limiter = createHostRateLimiter();
    const redirects = [{ status: 307, url: 'https://b.example./v2' }];
    limiter.recordResponse('a.example', { ...tooMany(3600), redirects }, Date.now());
    expect(limiter.getPausedUntil('a.example', Date.now())).toBeNull();
    const acquire = createHostAcquirer(limiter);
    expect(await acquire({ host: 'b.example.', isUrgent: false, signal })).toBe(false);
  });

  it('uses the rate of its host in every spelling', async () => {
    const limiter = createHostRateLimiter();
    const acquire = createHostAcquirer(limiter);
    expect(await acquire({ host: 'b.example', isUrgent: false, signal })).toBe(true);
    expect(limiter.getDelayMs('b.example')).toBeGreaterThan(0);
    expect(await acquire({ host: 'b.example.', isUrgent: false, signal: AbortSignal.timeout(1) })).toBe(
      false,
    );
  });
});

it('never pauses a host for longer than a day, for any responses', () => {
  const response = fc.record({
    httpStatus: fc.option(fc.constantFrom(200, 402, 403, 404, 429, 500, 503)),
    retryAfterSeconds: fc.option(fc.integer({ min: 0, max: 86_400 })),
    afterMs: fc.integer({ min: 0, max: 2 * HOUR }),
  });
  fc.assert(
    fc.property(fc.array(response), (responses) => {
      const limiter = createHostRateLimiter();
      let now = T0;
      for (const { afterMs, ...response } of responses) {
        now += afterMs;
        limiter.recordResponse('a.example', response, now);
        const until = limiter.getPausedUntil('a.example', now);
        if (until !== null) expect(until - now).toBeLessThanOrEqual(24 * HOUR);
      }
    }),
  );
});

describe('starts', () => {
  beforeEach(useFakeClock);
  afterEach(() => vi.useRealTimers());

  const { signal } = new AbortController();
  /**
   * Requests a probe start for each host at the same time. Returns the milliseconds of the fake clock until each start
   * was granted.
   */
  const measureWaits = (limiter: ReturnType<typeof createHostRateLimiter>, hosts: readonly string[]) => {
    const began = performance.now();
    return runWithClock(
      Promise.all(
        hosts.map(async (host) => {
          await limiter.acquire({ host, isUrgent: false, signal });
          return performance.now() - began;
        }),
      ),
    );
  };

  it('are limited to two a second at one host without a delay for others', async () => {
    expect(await measureWaits(createHostRateLimiter(), ['a', 'a', 'b', 'a', 'b', 'c'])).toEqual([
      0, 500, 0, 1000, 500, 0,
    ]);
  });
});
