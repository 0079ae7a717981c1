import { createServer, type Server } from 'node:http';
import { unstable_doesMiddlewareMatch } from 'next/experimental/testing/server.js';
import { NextRequest } from 'next/server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { config, proxy } from './proxy.ts';

/** Answers as the database does: one endpoint is known, and whoever asks for `zzzzzzzzzz` finds it out of order. */
const database: Server = createServer((request, response) => {
  const id = new URL(request.url ?? '', 'http://database').searchParams.get('endpoint_id');
  response.setHeader('content-type', 'application/json');
  if (id === 'eq.zzzzzzzzzz') response.statusCode = 503;
  response.end(
    response.statusCode === 503 ? '{"message":"away"}' : JSON.stringify(id === 'eq.abcdefgh27' ? [row] : []),
  );
});

const row = {
  endpoint_id: 'abcdefgh27',
  slug: 'api-example-com-weather-abcdefgh27',
  resource: 'https://api.example.com/weather',
  host: 'api.example.com',
  method: 'GET',
  service_name: null,
  description: null,
  templated: false,
  protocol_version: 2,
  score: 87.4,
  grade: 'A',
  recommendation: 'proceed',
  confidence: 0.87,
  uptime_30d: null,
  latency_ms: null,
  latency_label: null,
  probes_30d: 0,
  probed_per_day: null,
  due_per_day: null,
  mean_gap_seconds: null,
  amount_usd: null,
  price_stability: null,
  network: null,
  pay_on: [],
  first_seen: '2026-01-02T03:04:05+00:00',
  last_probed_at: null,
  listing_status: 'listed',
  delisted_at: null,
  directories: ['cdp'],
  computed_at: '2026-03-04T12:34:56+00:00',
  content_changed_at: '2026-03-03T00:00:00+00:00',
  days_tracked: 61,
  error_flags: 0,
  warning_flags: 0,
  better_alternatives: null,
};

beforeAll(async () => {
  await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve));
  const address = database.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  vi.stubEnv('SUPABASE_URL', `http://127.0.0.1:${port}`);
  vi.stubEnv('SUPABASE_PUBLISHABLE_KEY', 'publishable');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'secret');
  vi.stubEnv('BASE_URL', '');
});

afterAll(() => {
  vi.unstubAllEnvs();
  database.closeAllConnections();
  database.close();
});

const visit = async (path: string, init: { method?: string; headers?: Record<string, string> } = {}) =>
  proxy(new NextRequest(`http://localhost${path}`, init));
const NOT_FOUND = 'http://localhost/not-found';

describe('proxy', () => {
  it('lets a known endpoint through under its slug', async () => {
    const response = await visit('/endpoint/api-example-com-weather-abcdefgh27');
    expect(response.headers.get('x-middleware-next')).toBe('1');
  });

  it('moves other names of a known endpoint to its slug for good', async () => {
    const response = await visit('/endpoint/old-name-abcdefgh27');
    expect(response.status).toBe(308);
    expect(response.headers.get('location')).toBe(
      'http://localhost/endpoint/api-example-com-weather-abcdefgh27',
    );
  });

  it.each([
    '/endpoint',
    '/endpoint/',
    '/endpoint/api-example-com-aaaaaaaaaa',
    '/endpoint/%3Cscript%3E',
    '/endpoint/api-example-com-weather-abcdefgh27/more',
    '/on-demand/page/home',
    '/on-demand/other/leaderboard',
  ])('shows the one not-found page for %s', async (path) => {
    const response = await visit(path);
    expect(response.headers.get('x-middleware-rewrite')).toBe(NOT_FOUND);
  });

  it('lets the page answer when the database is away', async () => {
    const response = await visit('/endpoint/api-example-com-zzzzzzzzzz');
    expect(response.headers.get('x-middleware-next')).toBe('1');
  });

  it.each([
    ['text/html,*/*;q=0.8', '/on-demand/page/leaderboard'],
    ['*/*', '/on-demand/json/leaderboard'],
    ['application/json', '/on-demand/json/leaderboard'],
  ])('gives a client that accepts %s the leaderboard as %s', async (accept, place) => {
    const response = await visit('/trust/leaderboard', { headers: { accept } });
    expect(response.headers.get('x-middleware-rewrite')).toBe(`http://localhost${place}`);
    expect(response.headers.get('vary')).toBe('Accept');
  });

  it('has what is not asked for with GET refused by the route of the data', async () => {
    const asked = { method: 'POST', headers: { accept: 'text/html' } };
    const response = await visit('/trust/stats', asked);
    expect(response.headers.get('x-middleware-rewrite')).toBe('http://localhost/on-demand/json/stats');
  });

  it.each(['/v1/x402-trust', '/v1/unknown', '/openapi.json', '/schemas/x402-trust/1.0.0.json'])(
    'lets %s through to its route',
    async (path) => {
      expect((await visit(path, { method: 'PUT' })).headers.get('x-middleware-next')).toBe('1');
    },
  );

  it.each([
    ['/age.js', 'GET, HEAD, OPTIONS'],
    ['/openapi-explorer.LICENSE.txt', 'GET, HEAD, OPTIONS'],
    ['/v1/x402-trust', 'POST, OPTIONS'],
    ['/v1/x402-trust-preview', 'GET, HEAD, POST, OPTIONS'],
    ['/trust/leaderboard', 'GET, HEAD, OPTIONS'],
    ['/llms.txt', 'GET, HEAD, OPTIONS'],
    ['/.well-known/x402', 'GET, HEAD, OPTIONS'],
  ])('tells who asks %s with a method that nobody knows what is allowed', async (path, allow) => {
    const response = await visit(path, { method: 'PROPFIND' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toMatchObject({ code: 'method-not-allowed', instance: path });
  });

  it.each(['/age.js', '/openapi-explorer.LICENSE.txt'])('lets %s be read and nothing else', async (path) => {
    expect((await visit(path)).headers.get('x-middleware-next')).toBe('1');
    for (const method of ['POST', 'PUT']) expect((await visit(path, { method })).status).toBe(405);
    const matches = unstable_doesMiddlewareMatch({ config, nextConfig: {}, url: path });
    expect(matches).toBe(true);
  });

  it('knows no path below the API for such a method that has no operation', async () => {
    const response = await visit('/v1/unknown', { method: 'PROPFIND' });
    expect(await response.json()).toMatchObject({ status: 404, code: 'unknown-resource' });
  });

  it.each(['/v1/%E0%A4%A', '/schemas/%ff', '/v1/%'])('refuses %s, which does not decode', async (path) => {
    const response = await visit(path);
    expect(await response.json()).toMatchObject({ status: 400, code: 'invalid-request', instance: path });
  });

  it.each(['/', '/docs', '/docs/explorer', '/methodology', '/endpoint/api-example-com-weather-abcdefgh27'])(
    'shows the page %s to readers alone',
    async (path) => {
      for (const method of ['GET', 'HEAD']) {
        expect((await visit(path, { method })).headers.get('x-middleware-next')).toBe('1');
      }
      for (const method of ['POST', 'DELETE', 'PROPFIND']) {
        const response = await visit(path, { method });
        expect(response.status).toBe(405);
        expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      }
      expect((await visit(path, { method: 'OPTIONS' })).status).toBe(204);
    },
  );
});
