import { describe, expect, it } from 'vitest';
import { SNAPSHOT_ROW } from '../../testing/database-rows.ts';
import { useTestDatabase } from '../../testing/test-database.ts';
import { createSitemap } from './sitemap-routes.ts';

const { database, getModules } = useTestDatabase(() => import('./sitemap-routes.ts'));

const ORIGIN = 'https://touchstone.example';
const get = (path: string, headers: Record<string, string> = {}) => {
  const routes = getModules();
  const request = new Request(`${ORIGIN}${path}`, { headers });
  return Promise.resolve(
    path === '/sitemap.xml' ? routes.sitemapIndexRoute.GET(request) : routes.sitemapRoute.GET(request),
  );
};
const listUrls = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url);

describe('/robots.txt', () => {
  it('names the sitemap, disallows the API, and allows pages whose noindex a crawler must see', async () => {
    const response = await getModules().robotsRoute.GET(new Request(`${ORIGIN}/robots.txt`));
    const lines = (await response.text()).split('\n');
    expect(lines[0]).toBe('User-agent: *');
    expect(lines).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
    expect(lines.filter((line) => /explore|events/.test(line))).toEqual([]);
    expect(lines).toContain('Disallow: /v1/');
    expect(lines).not.toContain('Disallow: /');
  });
});

describe('/sitemap.xml', () => {
  it('lists the sitemaps with the time of their newest change', async () => {
    const response = await get('/sitemap.xml');
    expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    const xml = await response.text();
    expect(listUrls(xml)).toEqual([
      `${ORIGIN}/sitemap/pages.xml`,
      `${ORIGIN}/sitemap/providers.xml`,
      `${ORIGIN}/sitemap/categories.xml`,
      `${ORIGIN}/sitemap/endpoints-x.xml`,
    ]);
    expect(xml).toContain('endpoints-x.xml</loc><lastmod>2026-03-03T00:00:00.000Z</lastmod>');
    expect(xml).toMatch(/providers\.xml<\/loc><lastmod>[\d-]+T[\d:.]+Z<\/lastmod>/);
    const etag = response.headers.get('etag') ?? '';
    expect((await get('/sitemap.xml', { 'if-none-match': etag })).status).toBe(304);
  });
});

describe('/sitemap/{file}', () => {
  it('has the time of the build for texts, and of the newest change for lists of endpoints', async () => {
    process.env['BUILT_AT'] = '2026-01-01T00:00:00.000Z';
    const xml = await (await get('/sitemap/pages.xml')).text();
    delete process.env['BUILT_AT'];
    expect(xml).toContain('/methodology</loc><lastmod>2026-01-01T00:00:00.000Z</lastmod>');
    expect(xml).toMatch(/\/explore<\/loc><lastmod>2026-0[^1]/);
  });

  it.each([
    ['pages', `${ORIGIN}/trust/leaderboard`],
    ['categories', `${ORIGIN}/category/machine-learning`],
    ['providers', `${ORIGIN}/provider/api.example.com`],
    ['endpoints-x', `${ORIGIN}/endpoint/${SNAPSHOT_ROW.slug}`],
  ])('lists the pages of %s', async (name, url) => {
    const response = await get(`/sitemap/${name}.xml`);
    expect(response.status).toBe(200);
    expect(listUrls(await response.text())).toContain(url);
  });

  it('reads the providers, for which all snapshots are scanned, once for several requests', async () => {
    database.reset();
    await Promise.all([get('/sitemap/providers.xml'), get('/sitemap/providers.xml')]);
    await get('/sitemap/providers.xml');
    expect(database.listCalls().length).toBeLessThanOrEqual(1);
  });

  it.each([
    ['endpoints-a.xml', ['sitemap_endpoints']],
    ['endpoints-1.xml', []],
    ['endpoints-xx.xml', []],
    ['pages.txt', []],
    ['other.xml', []],
  ])('responds with a problem to %s', async (name, calls) => {
    database.reset();
    const response = await get(`/sitemap/${name}`);
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ code: 'unknown-resource', instance: `/sitemap/${name}` });
    expect(database.listCalls()).toEqual(calls);
  });
});

it('a sitemap escapes the characters that have a meaning in XML', () => {
  const url = `https://touchstone.example/provider/<a>&"b"'c'`;
  expect(createSitemap([{ url, lastModified: null }])).toContain(
    '<loc>https://touchstone.example/provider/&lt;a&gt;&amp;&quot;b&quot;&apos;c&apos;</loc>',
  );
});
