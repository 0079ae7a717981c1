import { NextRequest } from 'next/server';
import { describe, expect, it } from 'vitest';
import type { Limiter } from '../../api/rate-limit/create-limiter.ts';
import { decodeEventParams, NEWEST_EVENTS, parseEventParams } from './event-params.ts';
import { routeEventsPage } from './events-route.ts';

const allow: Limiter = (_request, respond) => respond();
const refuse: Limiter = () => Promise.resolve(new Response(null, { status: 429 }));

const routePage = (search: string, limiter: Limiter = allow) =>
  routeEventsPage(
    new NextRequest(`http://localhost/events${search}`),
    limiter,
    parseEventParams(new URLSearchParams(search)),
  );

const PAGE = 'http://localhost/on-demand/page/events';

describe('routeEventsPage', () => {
  it.each(['', '?kind=', '?before=', '?utm_source=x'])(
    'rewrites %j to the cached page without a rate limit',
    async (search) => {
      const response = await routePage(search, refuse);
      expect(response.headers.get('x-middleware-rewrite')).toBe(PAGE);
      expect(response.headers.has('cache-control')).toBe(false);
    },
  );

  it.each([
    ['?kind=outage', { ...NEWEST_EVENTS, kind: 'outage' }, []],
    ['?before=1-2', { ...NEWEST_EVENTS, before: '1-2' }, []],
    ['?host=a.example', { ...NEWEST_EVENTS, host: 'a.example' }, []],
    ['?kind=../../x', NEWEST_EVENTS, ['kind=../../x']],
  ])('rewrites %s to a page that must not be stored', async (search, params, ignored) => {
    const response = await routePage(search);
    const target = response.headers.get('x-middleware-rewrite') ?? '';
    expect(target).toMatch(/\/events\/[\w-]+$/);
    expect(decodeEventParams(target.slice(PAGE.length + 1))).toEqual({ params, ignored });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('limits the rate of requests with parameters', async () => {
    expect((await routePage('?kind=outage', refuse)).status).toBe(429);
  });
});
