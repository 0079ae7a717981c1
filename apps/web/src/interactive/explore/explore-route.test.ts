import { NextRequest } from 'next/server';
import { describe, expect, it } from 'vitest';
import type { Limiter } from '../../api/rate-limit/create-limiter.ts';
import { NO_PARAMS, type ParsedParams } from './explore-params.ts';
import { runSearch } from '../../operations/search-queue.ts';
import { getExploreResults } from './explore-route.ts';
import type { FirstPage } from './list-endpoints.ts';
import { decodePageParams } from '../../serving/route-page.ts';
import { decodeParams, routeExplorePage, type ExploreRoute } from './explore-route.ts';

const allow: Limiter = (_request, respond) => respond();
const refuse: Limiter = () => Promise.resolve(new Response(null, { status: 429 }));

const RESULT: FirstPage['result'] = {
  matches: [],
  next: null,
  total: 0,
  isTotalMinimum: false,
  counts: null,
};
const list = (page: ParsedParams) => Promise.resolve({ ...page, result: RESULT });

const LOOKUPS: ExploreRoute['lookups'] = {
  endpoint: () => Promise.resolve({ kind: 'missing' }),
  host: (host) =>
    Promise.resolve(host === 'api.example.com' ? { kind: 'found', value: true } : { kind: 'missing' }),
};

const routePage = (search: string, options: Partial<ExploreRoute> = {}) =>
  routeExplorePage(new NextRequest(`http://localhost/explore${search}`), {
    ...{ limiter: allow, lookups: LOOKUPS, list, ...options },
  });

const PAGE = 'http://localhost/on-demand/page/explore';

/** Returns the parameters that the page of a request receives. */
async function route(search: string) {
  const response = await routePage(search);
  const target = response.headers.get('x-middleware-rewrite') ?? '';
  expect(target).toMatch(/\/explore\/[\w-]+$/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const segment = target.slice(PAGE.length + 1);
  const page = decodeParams(segment);
  expect(await getExploreResults().get(segment)).toEqual({ ...page, result: RESULT });
  return page;
}

describe('routeExplorePage', () => {
  it.each(['', '?q=', '?q=+%20', '?q=%00', '?utm_source=x', '?grade=&sort=score'])(
    'rewrites %j to the cached page without a rate limit',
    async (search) => {
      const response = await routePage(search, { limiter: refuse });
      expect(response.headers.get('x-middleware-rewrite')).toBe(PAGE);
      expect(response.headers.has('cache-control')).toBe(false);
    },
  );

  it.each([
    ['?q=%', '%'],
    ['?q=..%2F..%2F', '../../'],
    ['?q=%F0%9F%A6%8A&q=other', '🦊'],
  ])('rewrites %s to the page of its parameters, which must not be stored', async (search, text) => {
    expect(await route(search)).toEqual({
      ...{ params: { ...NO_PARAMS, text, sort: 'relevance' }, ignored: [] },
    });
  });

  it('passes ignored values to the page', async () => {
    expect(await route('?grade=A,Z&min_price=x')).toEqual({
      params: { ...NO_PARAMS, grades: ['A'] },
      ignored: ['grade=Z', 'min_price=x'],
    });
  });

  it('bounds the path of a long query', async () => {
    const long = 'x'.repeat(10_000);
    const response = await routePage(
      `?q=${long}&host=${long}&network=${'eip155:1,'.repeat(1_000)}&tag=${long}`,
    );
    expect(response.headers.get('x-middleware-rewrite')?.length).toBeLessThan(1_000);
  });

  it('searches once, and lets the page report the error of a search', async () => {
    let searches = 0;
    const failing = () => {
      searches += 1;
      return Promise.reject(new Error('The database is down'));
    };
    const response = await routePage('?q=down', { list: failing });
    const target = response.headers.get('x-middleware-rewrite') ?? '';
    await expect(getExploreResults().get(target.slice(PAGE.length + 1))).rejects.toThrow('down');
    expect(searches).toBe(1);
  });

  it('rewrites a search to the page about too many searches while 22 searches run or wait', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const searches = Array.from({ length: 22 }, (_, index) =>
      runSearch({ client: `client ${index}` }, () => released),
    );
    const queued = (page: ParsedParams) => runSearch({ client: '192.0.2.1' }, () => list(page));
    const response = await routePage('?q=fx', { list: queued });
    expect(response.headers.get('x-middleware-rewrite')).toBe('http://localhost/on-demand/page/busy');
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '5']);
    release();
    await Promise.all(searches);
    expect((await routePage('?q=fx', { list: queued })).status).toBe(200);
  });

  it('opens the page of a host, and the page about an unknown URL', async () => {
    const host = await routePage('?q=api.example.com');
    expect([host.status, host.headers.get('location')]).toEqual([
      302,
      'http://localhost/provider/api.example.com',
    ]);
    const unknown = await routePage('?q=https://api.example.com/x');
    const target = unknown.headers.get('x-middleware-rewrite') ?? '';
    const path = 'http://localhost/on-demand/page/unmonitored/';
    expect(decodePageParams(target.slice(path.length))).toEqual({
      query: 'https://api.example.com/x',
      ignored: ['api.example.com', ''],
    });
    for (const { headers } of [host, unknown]) expect(headers.get('cache-control')).toBe('no-store');
  });

  it('refuses a search for a URL whose lookup is limited', async () => {
    const limited = { kind: 'limited', limited: 'client', retryAfterSeconds: 3 } as const;
    const lookups = { ...LOOKUPS, endpoint: () => Promise.resolve(limited) };
    const response = await routePage('?q=https://api.example.com/x', { lookups });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3']);
  });

  it('limits the rate of requests with parameters', async () => {
    expect((await routePage('?q=fx', { limiter: refuse })).status).toBe(429);
  });
});
