import { describe, expect, it, vi } from 'vitest';
import type { Lookup } from './page-guard.ts';
import { cacheKnownHosts, routeProviderPage } from './provider-route.ts';

const KNOWN = 'api.example.com';
const isKnown = (host: string) => Promise.resolve(host === KNOWN);
const lookUp = async (host: string): Promise<Lookup<true>> =>
  host === KNOWN ? { kind: 'found', value: true } : { kind: 'missing' };

describe('routeProviderPage', () => {
  it('serves a known host, and redirects another spelling of it', async () => {
    expect(await routeProviderPage(KNOWN, lookUp)).toEqual({ kind: 'serve' });
    expect(await routeProviderPage('API.Example.com', lookUp)).toEqual({
      kind: 'redirect',
      path: `/provider/${KNOWN}`,
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
    expect(await routeProviderPage(KNOWN, async () => limited)).toEqual(limited);
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
  });
});

describe('cacheKnownHosts', () => {
  it('queries a known host once in ten minutes, and an unknown host each time', async () => {
    let time = 0;
    const query = vi.fn(isKnown);
    const cached = cacheKnownHosts(query, () => time);
    for (let count = 0; count < 3; count += 1) {
      expect(await cached(KNOWN)).toBe(true);
      expect(await cached('other.example')).toBe(false);
    }
    expect(query.mock.calls.filter(([host]) => host === KNOWN)).toHaveLength(1);
    expect(query.mock.calls.filter(([host]) => host !== KNOWN)).toHaveLength(3);
    time = 10 * 60_000;
    await cached(KNOWN);
    expect(query.mock.calls.filter(([host]) => host === KNOWN)).toHaveLength(2);
  });
});
