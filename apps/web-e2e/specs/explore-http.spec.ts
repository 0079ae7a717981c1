import { toEndpointPath } from '../support/endpoint-path.ts';
import { expect, test } from '../support/shared-service.ts';

const RESOURCE = 'https://fxline.sandbox.test/v1/rates/latest';
const PATH = toEndpointPath(RESOURCE);

const search = (query: string): string => `/explore?q=${encodeURIComponent(query)}`;

const SCRIPTS = ['<script type="module" src="/explore.js">', '<script src="/age.js" defer="">'];

/** Returns the tags of the scripts of a page. JSON-LD is data and not a script. */
const readScripts = (html: string): readonly string[] =>
  [...html.matchAll(/<script\b(?! type="application\/ld\+json")[^>]*>/g)].map(([tag]) => tag);

for (const query of [
  '<script>alert(1)</script>',
  '%',
  '\u0000',
  "';--",
  '"(&|!',
  '🦊',
  '\u202Eمرحبا',
  'x'.repeat(10_000),
  '\\',
  '_',
]) {
  test(`the query ${JSON.stringify(query.slice(0, 20))} has a page without other scripts`, async ({
    request,
  }) => {
    const response = await request.get(search(query));
    expect(response.status()).toBe(200);
    const html = await response.text();
    expect(html).toContain('Find an x402 endpoint');
    expect(readScripts(html)).toEqual(SCRIPTS);
  });
}

test('a page with parameters is not indexed and not stored', async ({ request }) => {
  for (const path of [search('fxline'), '/explore?grade=A', search('fxline')]) {
    const response = await request.get(path);
    expect(response.headers()['cache-control']).toBe('no-store');
    expect(response.headers()['x-nextjs-cache']).toBe('MISS');
    expect(response.headers()['ratelimit-policy']).toContain('"free"');
    const html = await response.text();
    expect(html).toContain('<meta name="robots" content="noindex, follow"/>');
    expect(html).toMatch(/<link rel="canonical" href="[^"]*\/explore"\/>/);
    expect(readScripts(html)).toEqual(SCRIPTS);
  }
  await request.get('/explore');
  const form = await request.get('/explore?utm_source=x');
  expect(form.headers()['x-nextjs-cache']).toBe('HIT');
  expect(await form.text()).not.toContain('noindex');
});

test('shared files of the scripts are cached forever', async ({ request }) => {
  const script = await (await request.get('/explore.js')).text();
  const shared = /\.\/(shared-[\w-]+\.js)/.exec(script)?.[1] ?? '';
  const response = await request.get(`/${shared}`);
  expect(response.status()).toBe(200);
  expect(response.headers()['cache-control']).toContain('immutable');
});

test('the procedures respond over HTTP', async ({ request }) => {
  const call = async (name: string, input: unknown) =>
    request.get(`/api/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`);
  const response = await call('explore.list', { params: 'q=fxline&sort=price' });
  expect(response.status()).toBe(200);
  expect(response.headers()).toMatchObject({
    'cache-control': 'public, max-age=60',
    'access-control-allow-origin': '*',
  });
  expect(response.headers()['ratelimit-policy']).toContain('"free"');
  const slug = PATH.replace('/endpoint/', '');
  const matching = expect.objectContaining({ resource: RESOURCE, slug }) as unknown;
  expect(await response.json()).toMatchObject({
    result: { data: { next: null, matches: expect.arrayContaining([matching]) as unknown } },
  });
  expect(await (await call('explore.suggest', { text: 'fxlin' })).json()).toMatchObject({
    result: { data: { hosts: [{ host: 'fxline.sandbox.test' }] } },
  });
  expect((await call('explore.list', { params: 'after=abc' })).status()).toBe(400);
});

test('the procedures refuse invalid requests', async ({ request }) => {
  const invalid = await request.get('/api/trpc/explore.suggest?input=%7B%22text%22%3A%22%22%7D');
  expect(invalid.status()).toBe(400);
  expect(invalid.headers()['cache-control']).toBe('no-store');
  expect(await invalid.text()).not.toContain('stack');
  // The procedures of watches are called with POST, which keeps their input out of URLs. So POST is allowed for all
  // procedures, and no cache may store the response.
  const posted = await request.post('/api/trpc/explore.suggest', { data: { text: 'fx' } });
  expect([posted.status(), posted.headers()['cache-control']]).toEqual([200, 'no-store']);
  const read = await request.get(`/api/trpc/watch.read?input=${encodeURIComponent('{"id":"w_a"}')}`);
  expect([read.status(), read.headers()['cache-control']]).toEqual([405, 'no-store']);
  const unknown = await request.get('/api/trpc/explore.nothing');
  expect(unknown.status()).toBe(404);
});
