import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManners } from './manners.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const T0 = Date.UTC(2026, 10, 1);
const tooMany = (retryAfterSeconds: number | null = null) => ({ httpStatus: 429, retryAfterSeconds });

describe('a host that says 429', () => {
  it('is left alone for a minute, then for twice as long at each further one, an hour at most', () => {
    const manners = createManners();
    const pauses: number[] = [];
    let now = T0;
    for (let count = 0; count < 9; count += 1) {
      manners.learn('a.example', tooMany(), now);
      const until = manners.heldUntil('a.example', now) ?? now;
      pauses.push((until - now) / MINUTE);
      now = until;
      expect(manners.heldUntil('a.example', now)).toBeNull();
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(manners.heldUntil('b.example', T0)).toBeNull();
  });

  it('is left alone for as long as it asks, when that is longer', () => {
    const manners = createManners();
    manners.learn('a.example', tooMany(6 * 3600), T0);
    expect(manners.heldUntil('a.example', T0)).toBe(T0 + 6 * HOUR);
    manners.learn('b.example', tooMany(5), T0);
    expect(manners.heldUntil('b.example', T0)).toBe(T0 + MINUTE);
  });

  it('is not punished again for what was under way when it first said so', () => {
    const manners = createManners();
    for (let count = 0; count < 5; count += 1) manners.learn('a.example', tooMany(), T0 + count);
    expect(manners.heldUntil('a.example', T0 + 5)).toBe(T0 + MINUTE);
    manners.learn('a.example', tooMany(120), T0 + 10);
    expect(manners.heldUntil('a.example', T0 + 10)).toBe(T0 + 10 + 2 * MINUTE);
  });

  it('starts afresh once it answered otherwise', () => {
    const manners = createManners();
    manners.learn('a.example', tooMany(), T0);
    manners.learn('a.example', tooMany(), T0 + MINUTE);
    manners.learn('a.example', { httpStatus: 402, retryAfterSeconds: null }, T0 + 10 * MINUTE);
    manners.learn('a.example', tooMany(), T0 + 11 * MINUTE);
    expect(manners.heldUntil('a.example', T0 + 11 * MINUTE)).toBe(T0 + 12 * MINUTE);
  });

  it('does not start afresh by silence, nor is its pause ended by an answer that was under way', () => {
    const manners = createManners();
    manners.learn('a.example', tooMany(), T0);
    manners.learn('a.example', { httpStatus: 402, retryAfterSeconds: null }, T0 + 1);
    expect(manners.heldUntil('a.example', T0 + 1)).toBe(T0 + MINUTE);
    manners.learn('a.example', { httpStatus: null, retryAfterSeconds: null }, T0 + 2 * MINUTE);
    manners.learn('a.example', tooMany(), T0 + 3 * MINUTE);
    expect(manners.heldUntil('a.example', T0 + 3 * MINUTE)).toBe(T0 + 5 * MINUTE);
  });
});

describe('Retry-After without 429', () => {
  it.each([
    [503, 120, 2],
    [403, 60, 1],
    // An outage cannot be hidden behind it for longer than one interval.
    [503, 24 * 3600, 30],
  ])('%i with %i s holds the host for %i minutes', (httpStatus, retryAfterSeconds, minutes) => {
    const manners = createManners();
    manners.learn('a.example', { httpStatus, retryAfterSeconds }, T0);
    expect(manners.heldUntil('a.example', T0)).toBe(T0 + minutes * MINUTE);
  });

  it.each([
    [402, 3600],
    [200, 3600],
    [301, 3600],
    [503, 0],
  ])('%i with %i s holds nobody', (httpStatus, retryAfterSeconds) => {
    const manners = createManners();
    manners.learn('a.example', { httpStatus, retryAfterSeconds }, T0);
    expect(manners.heldUntil('a.example', T0)).toBeNull();
  });
});

it('never holds a host for longer than a day, whatever it answers', () => {
  const answer = fc.record({
    httpStatus: fc.option(fc.constantFrom(200, 402, 403, 404, 429, 500, 503)),
    retryAfterSeconds: fc.option(fc.integer({ min: 0, max: 86_400 })),
    afterMs: fc.integer({ min: 0, max: 2 * HOUR }),
  });
  fc.assert(
    fc.property(fc.array(answer), (answers) => {
      const manners = createManners();
      let now = T0;
      for (const { afterMs, ...said } of answers) {
        now += afterMs;
        manners.learn('a.example', said, now);
        const until = manners.heldUntil('a.example', now);
        if (until !== null) expect(until - now).toBeLessThanOrEqual(24 * HOUR);
      }
    }),
  );
});

describe('starts', () => {
  const { signal } = new AbortController();
  /** Milliseconds until each of them has started, in hundreds. */
  const waits = (manners: ReturnType<typeof createManners>, hosts: readonly string[]) => {
    const began = performance.now();
    return Promise.all(
      hosts.map(async (host) => {
        await manners.start({ host, urgent: false, signal });
        return Math.round((performance.now() - began) / 100) * 100;
      }),
    );
  };

  it('are two a second at one host, and others are not kept waiting', async () => {
    expect(await waits(createManners(), ['a', 'a', 'b', 'a', 'b', 'c'])).toEqual([0, 500, 0, 1000, 500, 0]);
  });

  it('are as many in all as is set', async () => {
    expect(await waits(createManners({ perSecond: 5 }), ['a', 'b', 'c', 'd'])).toEqual([0, 200, 400, 600]);
  });
});
