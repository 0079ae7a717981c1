import { expect, it } from 'vitest';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { requestUntilCached } from '../support/pages/cached-response.ts';
import { getSiteUrl, request, requestPage } from '../support/site-request.ts';

const HEALTHY = toEndpointPath('https://fxline.sandbox.test/v1/rates/latest');
const DOWN = toEndpointPath('https://retiree.sandbox.test/v1/stocks/tips');
const REVALIDATED = 'public, max-age=0, must-revalidate';
/** Maximum size of an endpoint page, and of all its scripts, in bytes. */
const MAX_BYTES = { html: 60_000, scripts: 6_500 };

const search = (query: string): string => `/explore?q=${encodeURIComponent(query)}`;

/** Returns the tags of the scripts of a page. JSON-LD is data and not a script. */
const readScripts = (html: string): readonly string[] =>
  [...html.matchAll(/<script\b(?! type="application\/ld\+json")[^>]*>/g)].map(([tag]) => tag);

it('pages are cached, without inline scripts or styles', async () => {
  for (const path of [HEALTHY, '/methodology']) {
    const cached = await requestUntilCached(() => request(path));
    expect(cached.headers.get('content-security-policy')).not.toContain('unsafe-inline');
    expect(await cached.text()).not.toMatch(
      /<script(?![^>]*\bsrc=)(?! type="application\/ld\+json")|\sstyle="/,
    );
  }
});

/** Headers of a response that may change between two requests for the same page. */
const CHANGING_HEADERS = new Set([
  ...['date', 'x-nextjs-cache', 'x-request-id', 'etag', 'content-length', 'transfer-encoding'],
  ...['connection', 'keep-alive'],
]);

it.each(['identity', 'gzip'])(
  'a page from memory has the status, headers and body of Next: %s',
  async (encoding) => {
    const send = async () => {
      const response = await request('/methodology', { headers: { 'accept-encoding': encoding } });
      const headers = [...response.headers].filter(([name]) => !CHANGING_HEADERS.has(name));
      return { status: response.status, headers: Object.fromEntries(headers), body: await response.text() };
    };
    const first = await send();
    expect(first).toMatchObject({ status: 200, headers: { 'cache-control': REVALIDATED } });
    for (let time = 0; time < 3; time += 1) expect(await send()).toEqual(first);
  },
);

it.each(['/endpoint/made-up-abcdefghij', '/category/made-up'])(
  'the unknown page %s is never stored',
  async (path) => {
    for (let time = 0; time < 3; time += 1) {
      const { status, headers } = await request(path);
      expect(status).toBe(404);
      expect(headers.get('cache-control')).toBe('private, no-cache, no-store, max-age=0, must-revalidate');
    }
  },
);

it('other slugs, data for the scripts of Next and hosts in upper case redirect to their page', async () => {
  for (const [path, target] of [
    [`/endpoint/old-words-${HEALTHY.slice(-10)}`, HEALTHY],
    [`/endpoint/old-words-${HEALTHY.slice(-10)}.json?payTo=0x1`, `${HEALTHY}.json?payTo=0x1`],
    ['/endpoint/made-up-abcdefghij.rsc', '/endpoint/made-up-abcdefghij'],
    ['/docs.rsc', '/docs'],
    ['/provider/FXLINE.SANDBOX.TEST', '/provider/fxline.sandbox.test'],
  ]) {
    const { status, headers } = await request(path ?? '');
    expect([status, headers.get('location')?.replace(/^https?:\/\/[^/]*/, '')]).toEqual([308, target]);
  }
  const page = await request(`${HEALTHY}?_rsc=1rq3k`, { headers: { rsc: '1' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
});

it('internal routes refuse requests without their token', async () => {
  const headers = { authorization: 'Bearer guessed-guessed-guessed', 'content-type': 'application/json' };
  const body = JSON.stringify({ tags: ['leaderboard'] });
  expect((await request('/api/internal/revalidate', { method: 'POST', headers, body })).status).toBe(401);
  expect((await request('/api/inngest?fnId=touchstone-probe', { method: 'POST', body: '{}' })).status).toBe(
    404,
  );
  for (const path of ['/on-demand/page/stats', '/on-demand/json/leaderboard'])
    expect((await request(path)).status).toBe(404);
});

/**
 * Returns the names in the header `Vary`. They are compared as whole names, because a name can begin with another name,
 * as in `Accept-Encoding`.
 */
const listVary = ({ headers }: Response): readonly string[] => (headers.get('vary') ?? '').split(/\s*,\s*/);

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const API_CLIENT = { accept: 'application/json' };
const FORMAT_HEADERS = ['Accept', 'User-Agent'];

it.each(['/trust/leaderboard', '/trust/stats', '/mcp'])(
  '%s is HTML for browsers and another format for programs, with Vary',
  async (path) => {
    const page = await request(path, { headers: BROWSER });
    const cached = await requestUntilCached(() => requestPage(path));
    for (const response of [page, cached]) {
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(listVary(response)).toEqual(expect.arrayContaining(FORMAT_HEADERS));
    }
    const other = await request(path, { headers: API_CLIENT });
    expect(other.headers.get('content-type')).not.toContain('text/html');
    // The MCP server refuses GET requests of programs. The response has no Vary: Accept.
    expect(other.status).toBe(path === '/mcp' ? 405 : 200);
  },
);

it.each(['/trust/leaderboard', '/trust/stats'])(
  'public caches may store the JSON of %s only at its own URL',
  async (path) => {
    const chosen = await request(path, { headers: API_CLIENT });
    expect(chosen.headers.get('cache-control')).toBe('private, max-age=60');
    expect(listVary(chosen)).toEqual(expect.arrayContaining(FORMAT_HEADERS));
    const json = await request(`${path}.json`, { headers: BROWSER });
    expect(json.headers.get('cache-control')).toBe('public, max-age=60');
    expect(listVary(json)).not.toContain('Accept');
    expect(json.headers.get('link')).toBe(`<${getSiteUrl()}${path}>; rel="canonical"`);
  },
);

it.each([
  ['markup', '<script>alert(1)</script>'],
  ['NUL', '\u0000'],
  ['10,000 characters', 'x'.repeat(10_000)],
])('the search for %s has a page without other scripts', async (_, query) => {
  const response = await request(search(query));
  expect(response.status).toBe(200);
  expect(readScripts(await response.text())).toEqual([
    '<script type="module" src="/explore.js">',
    '<script type="module" src="/site.js">',
  ]);
});

it('a search is not indexed and not stored, and is limited', async () => {
  for (const path of [search('fxline'), '/explore?grade=A', search('fxline')]) {
    const response = await request(path);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-nextjs-cache')).toBe('MISS');
    expect(response.headers.get('ratelimit-policy')).toContain('"free"');
    const html = await response.text();
    expect(html).toContain('<meta name="robots" content="noindex, follow"/>');
    expect(html).toMatch(/<link rel="canonical" href="[^"]*\/explore"\/>/);
  }
  await request('/explore');
  const form = await request('/explore?utm_source=x');
  expect(form.headers.get('x-nextjs-cache')).toBe('HIT');
  expect(await form.text()).not.toContain('noindex');
});

it('shared files of the scripts are cached forever', async () => {
  const script = await (await request('/explore.js')).text();
  const response = await request(`/${/\.\/(shared-[\w-]+\.js)/.exec(script)?.[1] ?? ''}`);
  expect([response.status, response.headers.get('cache-control')]).toEqual([
    ...[200, expect.stringContaining('immutable') as unknown],
  ]);
});

it.each([HEALTHY, DOWN])('the page %s and its scripts are small', async (path) => {
  const html = await (await request(path)).text();
  expect(Buffer.byteLength(html)).toBeLessThan(MAX_BYTES.html);
  const scripts = [...html.matchAll(/<script\b[^>]*\bsrc="([^"]*)"/g)].map(([, source = '']) => source);
  expect(scripts.toSorted()).toEqual(['/charts.js', '/copy.js', '/site.js']);
  const texts = await Promise.all(scripts.map(async (source) => (await request(source)).text()));
  expect(texts.join('').length).toBeLessThan(MAX_BYTES.scripts);
});
