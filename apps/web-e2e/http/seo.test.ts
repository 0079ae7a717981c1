import { z } from 'zod';
import { expect, it } from 'vitest';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { readPageHead, readSitemap, type SitemapEntry } from '../support/pages/page-head.ts';
import { runAtOnce } from '../support/run-at-once.ts';
import { storeRemovedEndpoint } from '../support/service-files.ts';
import { getSiteUrl, request, requestPage } from '../support/site-request.ts';

const HEALTHY = toEndpointPath('https://fxline.sandbox.test/v1/rates/latest');
const TEMPLATE = toEndpointPath('https://profilehub.sandbox.test/v1/users/{userId}');
const DELISTED = toEndpointPath('https://papertrail.sandbox.test/v1/papers/search');
const UNPROBED = toEndpointPath('https://quotes.example.org/v1/quote');

/** Reads all sitemaps that the index lists. Returns their entries by the path of the sitemap. */
async function readSitemaps(): Promise<ReadonlyMap<string, readonly SitemapEntry[]>> {
  const index = readSitemap(await (await request('/sitemap.xml')).text());
  const files = await runAtOnce(index, 4, async ({ url }) => {
    const response = await request(url);
    expect(response.status, url).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(response.headers.get('x-nextjs-cache')).toBeNull();
    return [new URL(url).pathname, readSitemap(await response.text())] as const;
  });
  return new Map(files);
}

/** Returns the time in milliseconds since the epoch; NaN without a time. */
const toTime = (text: string | undefined): number => Date.parse(text ?? '');

/** Returns the time of the last change of a page's content. The page states this time in its JSON-LD. */
const readModified = (html: string): number => toTime(/"dateModified":"([^"]*)"/.exec(html)?.[1]);

it('the sitemap index leads to shards whose newest entries are not newer than the shard', async () => {
  const response = await request('/sitemap.xml');
  expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
  const index = readSitemap(await response.text());
  const sitemaps = await readSitemaps();
  expect(sitemaps.get('/sitemap/pages.xml')?.length).toBeGreaterThan(5);
  expect(sitemaps.get('/sitemap/providers.xml')?.length).toBeGreaterThan(3);
  expect(sitemaps.get('/sitemap/categories.xml')?.length).toBeGreaterThan(0);
  for (const { url, lastModified } of index) {
    const entries = sitemaps.get(new URL(url).pathname) ?? [];
    expect(entries.length, url).toBeGreaterThan(0);
    if (!url.includes('/endpoints-')) continue;
    const newest = Math.max(...entries.map((entry) => toTime(entry.lastModified)));
    expect(newest, url).toBeLessThanOrEqual(toTime(lastModified));
    expect(toTime(lastModified)).toBeLessThanOrEqual(Date.now());
  }
});

it('each page of the sitemap is complete, canonical and unique', async () => {
  const entries = [...(await readSitemaps()).values()].flat();
  expect(new Set(entries.map(({ url }) => url)).size).toBe(entries.length);
  const heads = await runAtOnce(entries, 6, async ({ url, lastModified }) => {
    const response = await requestPage(url);
    expect(response.status, url).toBe(200);
    const html = await response.text();
    const head = readPageHead(html);
    expect.soft(head.canonical, url).toBe(url === `${getSiteUrl()}/` ? getSiteUrl() : url);
    expect.soft(head.meta['robots'] ?? 'index', url).not.toContain('noindex');
    expect.soft(head.meta['og:url'], url).toBe(head.canonical);
    expect.soft(head.meta['og:title'], url).toBe(head.title);
    expect.soft(head.meta['og:description'], url).toBe(head.meta['description']);
    expect.soft(head.meta['og:image'], url).toMatch(/\/picture\/[a-z0-9-]+\.png$/);
    expect.soft(head.meta['twitter:card'], url).toBe('summary_large_image');
    expect.soft(html.match(/<h1\b/g), url).toHaveLength(1);
    expect.soft(html, url).toMatch(/<html lang="en"/);
    if (url.includes('/endpoint/') && readModified(html) < toTime(lastModified)) {
      // The page expires shortly after its data is stored. The page is then at least as new as its sitemap entry says.
      const readAgain = async () => readModified(await (await requestPage(url)).text());
      await expect.poll(readAgain, { message: url }).toBeGreaterThanOrEqual(toTime(lastModified));
    }
    return head;
  });
  const titles = heads.map(({ title }) => title);
  const descriptions = heads.map(({ meta }) => meta['description']);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  expect(descriptions.filter((text, index) => descriptions.indexOf(text) !== index)).toEqual([]);
  for (const description of descriptions) expect(description?.length).toBeGreaterThan(50);
});

const graphSchema = z.object({ '@graph': z.array(z.object({ '@type': z.string() })) });

it.each([
  ['/', ['WebSite']],
  [HEALTHY, ['WebAPI', 'WebPage']],
  ['/provider/fxline.sandbox.test', ['CollectionPage']],
  ['/category/finance', ['CollectionPage']],
  ['/trust/leaderboard', ['CollectionPage']],
  ['/explore', ['CollectionPage']],
  ['/trust/stats', ['Dataset', 'WebPage']],
])('the JSON-LD of %s has the types %j', async (path, types) => {
  const { jsonLd } = readPageHead(await (await requestPage(path)).text());
  const nodes = jsonLd.flatMap((block) => graphSchema.parse(block)['@graph']);
  expect(nodes.map((node) => node['@type'])).toEqual(types);
});

it('a page that is not for search engines says so and is in no sitemap', async () => {
  const listed = new Set([...(await readSitemaps()).values()].flat().map(({ url }) => url));
  expect(listed.has(`${getSiteUrl()}${HEALTHY}`)).toBe(true);
  const excluded = [TEMPLATE, DELISTED, UNPROBED, '/status', '/explore?q=https://unknown.example/x'];
  for (const path of [...excluded, '/explore?q=weather', '/compare', '/events?kind=outage']) {
    const response = await requestPage(path);
    expect(response.status, path).toBe(200);
    expect(readPageHead(await response.text()).meta['robots'], path).toBe('noindex, follow');
    expect(listed.has(`${getSiteUrl()}${path}`), path).toBe(false);
  }
});

it('a removed endpoint has status 410 in every format, and its page is not cached', async () => {
  const id = 'removedd77';
  await storeRemovedEndpoint(id);
  for (const slug of [`${id}-example-${id}`, `any-words-${id}`]) {
    const page = await requestPage(`/endpoint/${slug}`);
    expect(page.status).toBe(410);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const html = await page.text();
    expect(html).toContain('This endpoint was removed');
    expect(readPageHead(html).meta['robots']).toContain('noindex');
    expect(readPageHead(html).canonical).toBeUndefined();
    expect((await request(`/endpoint/${slug}`, { method: 'HEAD' })).status).toBe(410);
  }
  for (const path of [`/endpoint/x-${id}.json`, `/badge/${id}.svg`, `/picture/x-${id}.png`]) {
    const response = await request(path);
    expect(response.status, path).toBe(410);
    expect(await response.json()).toMatchObject({ code: 'resource-removed', instance: path });
  }
});
