import type { PageKind } from '@touchstone/store';
import { describe, expect, it, vi } from 'vitest';
import { createProcessCounter } from '../../api/rate-limit/process-counter.ts';
import type { KnownNames } from './known-names.ts';
import { createPageGuard } from './page-guard.ts';

const LIMIT = 120;
/**
 * Number of clients in a test. It is larger than the maximum number of queries per second for names that are not in
 * memory.
 */
const MANY_CLIENTS = 500;
/** Maximum number of running and waiting queries for names that are not in memory. */
const MAX_OPEN_QUERIES = 54;

/** Opens a guard whose names in memory are `known` and `removed`. The database has `known` and `new`. */
function openGuard({ isLoaded = true, isLoadedLater = false } = {}) {
  let hasNames = isLoaded;
  const clock = { now: 0 };
  const memory = new Set(['known', 'removed']);
  const names: KnownNames = {
    has: (name) => (hasNames ? memory.has(name) : null),
    load: async () => {
      await Promise.resolve();
      hasNames ||= isLoadedLater;
    },
    add: vi.fn((name: string) => memory.add(name)),
    remove: (name) => memory.delete(name),
  };
  const counter = createProcessCounter(() => clock.now);
  const query = vi.fn(async (name: string) => (['known', 'new'].includes(name) ? name : null));
  const openKind = (kind: PageKind) => {
    const getPolicy = () => ({ name: 'unknown-page', limit: LIMIT, windowSeconds: 60 });
    const guard = createPageGuard({ kind, names, counter, getPolicy, now: () => clock.now });
    return async (name: string, client = 'client'): Promise<string> =>
      (await guard({ name, client, query: () => query(name) })).kind;
  };
  const request = openKind('endpoint');
  return { clock, names, query, request, requestHost: openKind('host') };
}

describe('createPageGuard', () => {
  it('asks the database for unknown pages of an honest client', async () => {
    const { query, request } = openGuard();
    expect(await request('known')).toBe('found');
    expect(await request('new')).toBe('found');
    expect(await request('old')).toBe('missing');
    expect(query).toHaveBeenCalledTimes(3);
  });

  it('adds each new page to the names once, and no page that is in memory', async () => {
    const { names, request } = openGuard();
    for (let sent = 0; sent < 3; sent += 1) {
      for (const name of ['known', 'new', 'old']) await request(name);
    }
    expect(vi.mocked(names.add).mock.calls).toEqual([['new']]);
  });

  it('limits the unknown pages of one client, and still serves it known pages', async () => {
    const { clock, query, request } = openGuard();
    const kinds: string[] = [];
    for (let sent = 0; sent < LIMIT + 10; sent += 1) {
      kinds.push(await request(`invented ${sent}`));
      clock.now += 100;
    }
    expect(kinds.filter((kind) => kind === 'missing')).toHaveLength(LIMIT);
    expect(kinds.slice(LIMIT)).toEqual(Array(10).fill('limited'));
    query.mockClear();
    expect(await request('known')).toBe('found');
    expect(await request('invented', 'other')).toBe('missing');
    expect(query).toHaveBeenCalledTimes(2);
    clock.now += 60_000;
    expect(await request('invented')).toBe('missing');
  });

  it('answers unknown pages of many clients from memory, and serves known pages', async () => {
    const { clock, query, request } = openGuard();
    const attack = Array.from({ length: MANY_CLIENTS }, (_, index) => request('invented', `client ${index}`));
    const kinds = await Promise.all(attack);
    expect(kinds.filter((kind) => kind === 'missing')).toHaveLength(20);
    expect(kinds.filter((kind) => kind === 'unknown')).toHaveLength(MANY_CLIENTS - 20);
    expect(query).toHaveBeenCalledTimes(20);
    expect(await request('known', 'honest')).toBe('found');
    clock.now += 1_000;
    expect(await request('new', 'honest')).toBe('found');
  });

  it('counts the queries for endpoints and for hosts separately', async () => {
    const { request, requestHost } = openGuard();
    for (let index = 0; index < 30; index += 1) await request('invented', `client ${index}`);
    expect(await request('new', 'honest')).toBe('unknown');
    expect(await requestHost('new', 'honest')).toBe('found');
  });

  it('limits the queries of many clients while the names are not loaded, and responds with no wrong 404', async () => {
    const { query, request } = openGuard({ isLoaded: false });
    const attack = Array.from({ length: MANY_CLIENTS }, (_, index) => request('invented', `client ${index}`));
    const kinds = await Promise.all(attack);
    expect(kinds.filter((kind) => kind === 'limited')).toHaveLength(MANY_CLIENTS - MAX_OPEN_QUERIES);
    expect(kinds).not.toContain('unknown');
    expect(query).toHaveBeenCalledTimes(MAX_OPEN_QUERIES);
  });

  it('waits for the names before it limits a known page', async () => {
    const { query, request } = openGuard({ isLoaded: false, isLoadedLater: true });
    const views = Array.from({ length: MANY_CLIENTS }, (_, index) => request('known', `client ${index}`));
    expect(new Set(await Promise.all(views))).toEqual(new Set(['found']));
    expect(query).toHaveBeenCalledTimes(MANY_CLIENTS);
  });

  it('limits requests whose queries time out under load, so that no page is rendered for them', async () => {
    const { query, request } = openGuard({ isLoaded: false });
    query.mockImplementation(() => Promise.reject(new Error('timeout')));
    const attack = Array.from({ length: 10 }, (_, index) => request('invented', `client ${index}`));
    const results = await Promise.allSettled(attack);
    const limited = results.filter((result) => result.status === 'fulfilled' && result.value === 'limited');
    expect(limited).toHaveLength(9);
    await expect(request('new')).rejects.toThrow('timeout');
  });

  it('sends four queries for unknown names at a time', async () => {
    const { query, request } = openGuard();
    let end = (): void => undefined;
    const ended = new Promise<null>((resolve) => {
      end = () => resolve(null);
    });
    query.mockImplementation(() => ended);
    const attack = Array.from({ length: 10 }, (_, index) => request('invented', `client ${index}`));
    await new Promise((resolve) => setImmediate(resolve));
    expect(query).toHaveBeenCalledTimes(4);
    end();
    await Promise.all(attack);
    expect(query).toHaveBeenCalledTimes(10);
  });

  it('forgets a name that was deleted from the database', async () => {
    const { clock, query, request } = openGuard();
    expect(await request('removed')).toBe('missing');
    for (let index = 0; index < 20; index += 1) await request('invented', `client ${index}`);
    query.mockClear();
    expect(await request('removed')).toBe('unknown');
    expect(query).not.toHaveBeenCalled();
    clock.now += 1_000;
    expect(await request('removed')).toBe('missing');
  });
});
