import { describe, expect, it } from 'vitest';
import { connect } from '../client/client.ts';
import { pruneRows } from '../retention/retention.ts';
import { consumeRateLimit } from './rate-limits.ts';
import { useTestDatabase, T0 } from '../testing/fixtures.ts';

const database = useTestDatabase();

const take = (key: string, now = T0, cost = 1) =>
  consumeRateLimit(database.db, { key, cost, limit: 3, windowSeconds: 60, now });

describe('a rate limit', () => {
  it('counts down to zero, refuses, and starts again with the first call after the window', async () => {
    const resetsAt = T0 + 60_000;
    expect(await take('a')).toEqual({ allowed: true, remaining: 2, resetsAt });
    expect(await take('a', T0 + 1_000)).toEqual({ allowed: true, remaining: 1, resetsAt });
    expect(await take('a', T0 + 2_000, 2)).toEqual({ allowed: false, remaining: 1, resetsAt });
    expect(await take('a', T0 + 3_000)).toEqual({ allowed: true, remaining: 0, resetsAt });
    expect(await take('a', T0 + 59_999)).toEqual({ allowed: false, remaining: 0, resetsAt });
    expect(await take('a', T0 + 90_000)).toEqual({ allowed: true, remaining: 2, resetsAt: T0 + 150_000 });
    expect((await take('b', T0 + 3_000)).remaining).toBe(2);
  });

  it('refuses a call that costs more than a whole window', async () => {
    expect(await take('dear', T0, 4)).toEqual({ allowed: false, remaining: 3, resetsAt: T0 + 60_000 });
  });

  it('is shared by all processes', async () => {
    const processes = [1, 2, 3].map(() => connect({ url: database.url, key: database.keys.secret }));
    const calls = Array.from({ length: 60 }, (_, index) => {
      const db = processes[index % 3] ?? database.db;
      return consumeRateLimit(db, { key: 'shared', limit: 25, windowSeconds: 60, now: T0 + index });
    });
    expect((await Promise.all(calls)).filter(({ allowed }) => allowed)).toHaveLength(25);
  });

  it('is deleted after its window has ended', async () => {
    await take('old');
    const prune = async (rate_limits: number) =>
      (await pruneRows(database.db, { rate_limits }, 1_000)).rate_limits;
    expect(await prune(T0 + 60_000)).toBe(0);
    expect(await prune(T0 + 200_000)).toBeGreaterThan(2);
    expect((await take('old', T0 + 200_000)).remaining).toBe(2);
  });

  it('throws when the database cannot be reached', async () => {
    const db = connect({ url: 'http://127.0.0.1:1', key: 'none' });
    await expect(consumeRateLimit(db, { key: 'a', limit: 1, windowSeconds: 1, now: T0 })).rejects.toThrow(
      'Could not call consume_rate_limit',
    );
  });
});
