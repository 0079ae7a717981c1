import { unstable_doesMiddlewareMatch } from 'next/experimental/testing/server.js';
import { NextRequest } from 'next/server';
import { describe, expect, it } from 'vitest';
import { config } from './proxy.ts';
import { useTestDatabase } from './testing/test-database.ts';

const { getModules } = useTestDatabase(() => import('./proxy.ts'));

const send = async (path: string, init: { method?: string; headers?: Record<string, string> } = {}) =>
  getModules().proxy(new NextRequest(`http://localhost${path}`, init));
const NOT_FOUND = 'http://localhost/not-found';

describe('proxy', () => {
  it('redirects another spelling of the host of a provider', async () => {
    const redirected = await send('/provider/API.example.com');
    expect(redirected.status).toBe(308);
    expect(redirected.headers.get('location')).toBe('http://localhost/provider/api.example.com');
    const encoded = '/provider/%5B2606%3A4700%3A%3A1%5D';
    expect((await send(encoded)).headers.get('x-middleware-next')).toBe('1');
    const brackets = await send('/provider/[2606:4700::1]');
    expect([brackets.status, brackets.headers.get('location')]).toEqual([308, `http://localhost${encoded}`]);
  });

  it('redirects another spelling of a category', async () => {
    const redirected = await send('/category/Machine-Learning');
    expect([redirected.status, redirected.headers.get('location')]).toEqual([
      308,
      'http://localhost/category/machine-learning',
    ]);
    expect((await send('/category/machine-learning')).headers.get('x-middleware-next')).toBe('1');
  });

  it('redirects other slugs of a known endpoint permanently', async () => {
    const response = await send('/endpoint/old-name-xvdduuxtfa');
    expect(response.status).toBe(308);
    expect(response.headers.get('location')).toBe(
      'http://localhost/endpoint/api-example-com-weather-xvdduuxtfa',
    );
  });

  it.each([
    '/endpoint',
    '/endpoint/',
    '/endpoint/api-example-com-aaaaaaaaaa',
    '/endpoint/%3Cscript%3E',
    '/endpoint/api-example-com-weather-xvdduuxtfa/more',
    '/explore/more',
    '/compare/more',
    '/events/more',
    '/events?endpoint=api-example-com-aaaaaaaaaa',
    '/events?host=unknown.example',
    '/category',
    '/category/unknown',
    '/category/machine-learning/more',
    '/provider',
    '/provider/unknown.example',
    '/provider/UNKNOWN.example',
    '/provider/api.example.com/more',
    '/on-demand/page/home',
    '/on-demand/page/explore/Zng',
    '/on-demand/other/leaderboard',
    '/trust',
    '/mcp/more',
    '/openapi.json/more',
    '/llms.txt/more',
    '/trust/home',
    '/trust/stats/more',
    '/nowhere',
    '/_next',
    '/_next/image?url=%2Ficon.svg&w=640&q=75',
    '/_global-error',
    '/_not-found',
  ])('rewrites %s to the not-found page, and other methods to no page', async (path) => {
    expect(unstable_doesMiddlewareMatch({ config, nextConfig: {}, url: path })).toBe(true);
    const response = await send(path);
    expect(response.headers.get('x-middleware-rewrite')).toBe(NOT_FOUND);
    const refused = await send(path, { method: 'POST' });
    expect([404, 405]).toContain(refused.status);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
  });

  it.each(['?host=API.example.com', '?endpoint=old-name-xvdduuxtfa', '?endpoint=zzzzzzzzzz'])(
    'rewrites /events%s to the page of events, if the database knows the subject or is unavailable',
    async (search) => {
      const target = (await send(`/events${search}`)).headers.get('x-middleware-rewrite');
      expect(target).toMatch(/\/on-demand\/page\/events\/[\w-]+$/);
    },
  );

  it.each([
    '/endpoint/api-example-com-removedd22',
    '/endpoint/any-words-removedd22',
    '/events?endpoint=any-words-removedd22',
  ])('rewrites %s, a page of a removed endpoint, to one page with status 410', async (path) => {
    const response = await send(path);
    expect(response.status).toBe(410);
    expect(response.headers.get('x-middleware-rewrite')).toBe('http://localhost/on-demand/page/gone');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('serves the page if the database is unavailable', async () => {
    const response = await send('/endpoint/api-example-com-zzzzzzzzzz');
    expect(response.headers.get('x-middleware-next')).toBe('1');
  });

  it.each([
    ['page', { accept: 'text/html,*/*;q=0.8' }],
    ['page', { accept: '*/*', 'user-agent': 'Twitterbot/1.0' }],
    ['json', { accept: '*/*', 'user-agent': 'curl/8.5.0' }],
  ])('rewrites the leaderboard to its %s for %j', async (format, headers) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await send('/trust/leaderboard', { method, headers });
      expect(response.headers.get('x-middleware-rewrite')).toBe(
        `http://localhost/on-demand/${format}/leaderboard`,
      );
      expect(response.headers.get('vary')).toBe('Accept, User-Agent');
    }
  });

  it('rewrites a summary to its route with the query, and looks up no slug', async () => {
    const slug = 'any-words-zzzzzzzzzz';
    const response = await send(`/endpoint/${slug}.json?payTo=0x1`);
    expect(response.headers.get('x-middleware-rewrite')).toBe(
      `http://localhost/on-demand/json/endpoint/${slug}?payTo=0x1`,
    );
    expect(response.headers.get('link')).toBe(
      `<https://touchstone.example/endpoint/${slug}>; rel="canonical"`,
    );
  });

  it.each([
    '/endpoint/.json',
    '/endpoint/...json',
    '/endpoint/%2e%2e.json',
    '/endpoint/Words-xvdduuxtfa.json',
  ])('responds to a summary without a valid slug with a problem: %s', async (path) => {
    const response = await send(path);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ code: 'unknown-resource', instance: path });
  });

  it('handles requests of the API without a payment, and those whose path has percent-encoding', () => {
    const payments = [{ 'payment-signature': 'e30=' }, { 'x-payment': 'e30=' }];
    const matches = (url: string, init = {}) =>
      unstable_doesMiddlewareMatch({ config, nextConfig: {}, url, ...init });
    expect(matches('/v1/x402-trust')).toBe(true);
    for (const headers of payments) {
      expect(matches('/v1/x402-trust', { headers })).toBe(false);
      for (const path of ['/v1/watch/%ff', '/v1/x402-trust%']) expect(matches(path, { headers })).toBe(true);
    }
  });

  it('rewrites other methods to the JSON route, which refuses them', async () => {
    const init = { method: 'POST', headers: { accept: 'text/html' } };
    const response = await send('/trust/stats', init);
    expect(response.headers.get('x-middleware-rewrite')).toBe('http://localhost/on-demand/json/stats');
  });

  it('rewrites a request of a browser or crawler for /mcp to its page, and passes all others to the MCP server', async () => {
    const html = { headers: { accept: 'text/html' } };
    for (const init of [html, {}, { headers: { accept: '*/*' } }, { method: 'HEAD' }]) {
      const page = await send('/mcp', init);
      expect(page.headers.get('x-middleware-rewrite')).toBe('http://localhost/on-demand/page/mcp');
      expect(page.headers.get('vary')).toBe('Accept, User-Agent');
    }
    for (const init of [
      { method: 'POST', ...html },
      { headers: { accept: 'text/event-stream' } },
      { headers: { accept: 'application/json, text/event-stream, */*' } },
      { headers: { accept: '*/*, Application/JSON;q=0.5' } },
      { headers: { accept: 'image/png' } },
      { method: 'POST' },
      { method: 'OPTIONS' },
      { method: 'DELETE' },
    ]) {
      expect((await send('/mcp', init)).headers.get('x-middleware-next')).toBe('1');
    }
    expect((await send('/mcp/server-card', html)).headers.get('x-middleware-next')).toBe('1');
    expect(unstable_doesMiddlewareMatch({ config, nextConfig: {}, url: '/mcp' })).toBe(true);
  });

  it('allows only GET, HEAD and OPTIONS on the search page', async () => {
    const page = 'http://localhost/on-demand/page/explore';
    for (const method of ['GET', 'HEAD']) {
      const response = await send('/explore', { method });
      expect(response.headers.get('x-middleware-rewrite')).toBe(page);
    }
    expect((await send('/explore?q=fx', { method: 'POST' })).status).toBe(405);
    expect((await send('/explore?q=fx', { method: 'OPTIONS' })).status).toBe(204);
    expect(unstable_doesMiddlewareMatch({ config, nextConfig: {}, url: '/explore?q=fx' })).toBe(true);
  });

  it('sends a form of disputes to its route, and refuses other methods', async () => {
    const readTarget = async (path: string, method: string) =>
      (await send(path, { method })).headers.get('x-middleware-rewrite');
    expect(await readTarget('/dispute', 'GET')).toBe('http://localhost/on-demand/page/dispute');
    expect(await readTarget('/dispute', 'POST')).toBe('http://localhost/on-demand/form/dispute');
    expect(await readTarget('/dispute?text=a', 'GET')).toMatch(/\/on-demand\/page\/dispute\/[\w-]+$/);
    expect((await send('/dispute', { method: 'DELETE' })).status).toBe(405);
    expect(await readTarget('/dispute/x', 'GET')).toBe('http://localhost/not-found');
  });

  it('passes the form of the page of checks to its route, and renders the page of a URL for each request', async () => {
    const form = 'http://localhost/on-demand/form/check';
    expect((await send('/check', { method: 'POST' })).headers.get('x-middleware-rewrite')).toBe(form);
    const start = await send('/check');
    expect(start.headers.get('x-middleware-rewrite')).toBe('http://localhost/on-demand/page/check');
    const page = await send('/check?url=api.example.com');
    expect(page.headers.get('x-middleware-rewrite')).toMatch(/\/on-demand\/page\/check\/[\w-]+$/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const refused = await send('/check', { method: 'PUT' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
    expect((await send('/check/x', { method: 'POST' })).status).toBe(405);
  });

  it.each(['/v1/x402-trust', '/v1/unknown', '/openapi.json', '/schemas/x402-trust/1.0.0.json'])(
    'passes %s to its route',
    async (path) => {
      expect((await send(path, { method: 'PUT' })).headers.get('x-middleware-next')).toBe('1');
    },
  );

  it('responds to an unknown method on an unknown path with 404', async () => {
    const response = await send('/v1/unknown', { method: 'PROPFIND' });
    expect(await response.json()).toMatchObject({ status: 404, code: 'unknown-resource' });
  });

  it.each(['/v1/%E0%A4%A', '/schemas/%ff', '/v1/%', '/badge/%ff.svg'])(
    'refuses %s, whose percent-encoding is invalid',
    async (path) => {
      const response = await send(path);
      expect(await response.json()).toMatchObject({ status: 400, code: 'invalid-request', instance: path });
    },
  );

  it.each([
    ...[
      '/',
      '/docs',
      '/methodology',
      '/watch',
      '/corrections',
      '/delivery',
      '/endpoint/api-example-com-weather-xvdduuxtfa',
    ],
    ...['/provider/api.example.com', '/badge/xvdduuxtfa.svg', '/robots.txt', '/sitemap.xml', '/events.atom'],
    ...['/events.json', '/corrections.json', '/delivery.json'],
    ...['/sitemap/endpoints-a.xml', '/site.js', '/watch.js', '/icon.svg'],
  ])('allows only GET, HEAD and OPTIONS on %s', async (path) => {
    expect(unstable_doesMiddlewareMatch({ config, nextConfig: {}, url: path })).toBe(true);
    for (const method of ['GET', 'HEAD'])
      expect((await send(path, { method })).headers.get('x-middleware-next')).toBe('1');
    for (const method of ['POST', 'DELETE', 'PROPFIND']) {
      const response = await send(path, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
    expect((await send(path, { method: 'OPTIONS' })).status).toBe(204);
  });

  it.each(['/llms.txt', '/.well-known/x402'])('refuses an unknown method on %s', async (path) => {
    const response = await send(path, { method: 'PROPFIND' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it.each([
    ['/api/trpc/trust.report', true],
    ['/api/healthy', true],
    ['/api/metricsx/a', true],
    ['/api/internal-users', true],
    ['/api/inngest.json', true],
    ['/api/health', false],
    ['/api/health/live', false],
    ['/api/metrics/', false],
    ['/api/metrics?format=text', false],
    ['/api/internal/revalidate', false],
    ['/api/inngest', false],
    ['/_next/static/chunks/a.css', false],
  ])('matches %s: %s', (url, matches) => {
    expect(unstable_doesMiddlewareMatch({ config, nextConfig: {}, url })).toBe(matches);
  });
});
