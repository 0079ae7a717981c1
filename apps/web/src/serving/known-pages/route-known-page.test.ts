import type { PageTarget } from '@touchstone/store';
import type { PageLookup } from './page-guard.ts';
import { describe, expect, it, vi } from 'vitest';
import { routeEndpointPage, cacheFound, routeProviderPage } from './route-known-page.ts';

const KNOWN = 'api-example-com-weather-abcdefgh27';
const targets: Readonly<Record<string, PageTarget>> = {
  abcdefgh27: { slug: KNOWN, optedOutAt: null },
  removedd22: 'removed',
};
const findPageTarget = async (endpointId: string): Promise<PageLookup<NonNullable<PageTarget>>> => {
  const value = targets[endpointId] ?? null;
  return value === null ? { kind: 'missing' } : { kind: 'found', value };
};

describe('routeEndpointPage', () => {
  it('serves an endpoint at its canonical slug', async () => {
    expect(await routeEndpointPage(KNOWN, findPageTarget)).toEqual({ kind: 'serve' });
  });

  it.each(['other-words-abcdefgh27', 'abcdefgh27'])('redirects %s to the canonical slug', async (slug) => {
    expect(await routeEndpointPage(slug, findPageTarget)).toEqual({
      kind: 'redirect',
      path: `/endpoint/${KNOWN}`,
    });
  });

  it('returns unknown for an unknown id', async () => {
    expect(await routeEndpointPage('api-example-com-aaaaaaaaaa', findPageTarget)).toEqual({
      kind: 'unknown',
    });
  });

  it('returns removed for an endpoint that was removed on request, at any slug', async () => {
    expect(await routeEndpointPage('api-example-com-removedd22', findPageTarget)).toEqual({
      kind: 'removed',
    });
  });

  it('returns unknown without a query, and limited for a client with too many unknown pages', async () => {
    expect(await routeEndpointPage(KNOWN, async () => ({ kind: 'unknown' }))).toEqual({ kind: 'unknown' });
    const limited = { kind: 'limited', limited: 'client', retryAfterSeconds: 30 } as const;
    expect(await routeEndpointPage(KNOWN, async () => limited)).toEqual(limited);
  });

  it('does not query the database for an invalid slug', async () => {
    const never = () => Promise.reject(new Error('queried'));
    expect(await routeEndpointPage('<script>', never)).toEqual({ kind: 'unknown' });
  });

  it('serves the page if the database is unavailable', async () => {
    const unavailable = () => Promise.reject(new Error('unavailable'));
    expect(await routeEndpointPage(KNOWN, unavailable)).toEqual({ kind: 'serve' });
  });
});

const ID = 'abcdefgh27';
const TARGET = { slug: 'slug-abcdefgh27', optedOutAt: null };

function setUp(targets: Map<string, PageTarget>) {
  const lookups: string[] = [];
  let time = 0;
  const find = cacheFound(
    async (endpointId) => {
      lookups.push(endpointId);
      return targets.get(endpointId) ?? null;
    },
    () => time,
  );
  return { find, lookups, pass: (ms: number) => (time += ms) };
}

describe('cacheFound of endpoints', () => {
  it.each([TARGET, 'removed' as const])('looks up %j once in ten minutes', async (target) => {
    const { find, lookups, pass } = setUp(new Map([[ID, target]]));
    expect(await find(ID)).toEqual(target);
    pass(9 * 60_000);
    expect(await find(ID)).toEqual(target);
    expect(lookups).toHaveLength(1);
    pass(2 * 60_000);
    expect(await find(ID)).toEqual(target);
    expect(lookups).toHaveLength(2);
  });

  it('finds a new endpoint at once, and returns a removed one for at most ten minutes', async () => {
    const targets = new Map<string, PageTarget>();
    const { find, pass } = setUp(targets);
    expect(await find(ID)).toBeNull();
    targets.set(ID, TARGET);
    expect(await find(ID)).toEqual(TARGET);
    targets.set(ID, 'removed');
    pass(11 * 60_000);
    expect(await find(ID)).toBe('removed');
  });

  it('keeps at most 50,000 pages, the latest ones', async () => {
    const lookUp = vi.fn((name: string) => Promise.resolve(name));
    const find = cacheFound(lookUp);
    await Promise.all(Array.from({ length: 50_001 }, (_, index) => find(String(index))));
    lookUp.mockClear();
    for (const name of ['1', '50000', '0']) await find(name);
    expect(lookUp.mock.calls).toEqual([['0']]);
  });

  it('rejects if the lookup fails', async () => {
    const find = cacheFound(() => Promise.reject(new Error('unavailable')));
    await expect(find(ID)).rejects.toThrow('unavailable');
  });
});

const HOST = 'api.example.com';
const findHost = (host: string) => Promise.resolve(host === HOST || null);
const lookUp = async (host: string): Promise<PageLookup<true>> =>
  host === HOST ? { kind: 'found', value: true } : { kind: 'missing' };

describe('routeProviderPage', () => {
  it('serves a known host, and redirects another spelling of it', async () => {
    expect(await routeProviderPage(HOST, lookUp)).toEqual({ kind: 'serve' });
    expect(await routeProviderPage('API.Example.com', lookUp)).toEqual({
      kind: 'redirect',
      path: `/provider/${HOST}`,
    });
  });

  it.each(['other.example', 'OTHER.example', 'api.example.com.', '[::1]'])(
    'returns unknown for %j',
    async (name) => {
      expect(await routeProviderPage(name, lookUp)).toEqual({ kind: 'unknown' });
    },
  );

  it('returns limited for a client with too many unknown pages', async () => {
    const limited = { kind: 'limited', limited: 'client', retryAfterSeconds: 30 } as const;
    expect(await routeProviderPage(HOST, async () => limited)).toEqual(limited);
  });

  it('queries only names that can be hosts', async () => {
    const query = vi.fn(lookUp);
    for (const name of ['', '..', 'a b', `${'a'.repeat(64)}.example`, `${'a.'.repeat(127)}b`])
      await routeProviderPage(name, query);
    expect(query).not.toHaveBeenCalled();
  });

  it('serves the page if the query fails, because the page may be cached', async () => {
    const fail = () => Promise.reject(new Error('unavailable'));
    expect(await routeProviderPage('any.example', fail)).toEqual({ kind: 'serve' });
    // Names in another spelling are still redirected, so that no page is cached for these names.
    expect(await routeProviderPage('Any.Example', fail)).toEqual({
      kind: 'redirect',
      path: '/provider/any.example',
    });
  });
});

describe('cacheFound of hosts', () => {
  it('queries a known host once in ten minutes, and an unknown host each time', async () => {
    let time = 0;
    const query = vi.fn(findHost);
    const cached = cacheFound(query, () => time);
    for (let count = 0; count < 3; count += 1) {
      expect(await cached(HOST)).toBe(true);
      expect(await cached('other.example')).toBeNull();
    }
    expect(query.mock.calls.filter(([host]) => host === HOST)).toHaveLength(1);
    expect(query.mock.calls.filter(([host]) => host !== HOST)).toHaveLength(3);
    time = 10 * 60_000;
    await cached(HOST);
    expect(query.mock.calls.filter(([host]) => host === HOST)).toHaveLength(2);
  });
});
