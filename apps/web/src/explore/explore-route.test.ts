import { NextRequest } from 'next/server';
import { describe, expect, it } from 'vitest';
import type { Limiter } from '../api/rate-limit/create-limiter.ts';
import { routeExplorePage } from './explore-route.ts';
import { decodeQuery, MAX_QUERY_LENGTH } from './search-query.ts';

const allow: Limiter = (_request, respond) => respond();
const refuse: Limiter = () => Promise.resolve(new Response(null, { status: 429 }));

const routePage = (search: string, limiter: Limiter = allow) =>
  routeExplorePage(new NextRequest(`http://localhost/explore${search}`), limiter);

const PAGE = 'http://localhost/on-demand/page/explore';

describe('routeExplorePage', () => {
  it.each(['', '?q=', '?q=+%20', '?q=%00', '?other=x'])(
    'rewrites %j to the cached page without a query and without a rate limit',
    async (search) => {
      const response = await routePage(search, refuse);
      expect(response.headers.get('x-middleware-rewrite')).toBe(PAGE);
      expect(response.headers.has('cache-control')).toBe(false);
    },
  );

  it.each([
    ['?q=fx+line', 'fx line'],
    ['?q=%3Cscript%3E', '<script>'],
    ['?q=%', '%'],
    ['?q=..%2F..%2F', '../../'],
    ['?q=%F0%9F%A6%8A&q=other', '🦊'],
  ])('rewrites %s to the page of its query, which must not be stored', async (search, query) => {
    const response = await routePage(search);
    const target = response.headers.get('x-middleware-rewrite') ?? '';
    expect(target.startsWith(`${PAGE}/`)).toBe(true);
    expect(decodeQuery(target.slice(PAGE.length + 1))).toBe(query);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('bounds the path of a long query', async () => {
    const response = await routePage(`?q=${'x'.repeat(10_000)}`);
    const target = response.headers.get('x-middleware-rewrite') ?? '';
    expect(decodeQuery(target.slice(PAGE.length + 1))).toHaveLength(MAX_QUERY_LENGTH + 1);
  });

  it('limits the rate of requests with a query', async () => {
    expect((await routePage('?q=fx', refuse)).status).toBe(429);
  });
});
