import type { APIRequestContext, Page } from '@playwright/test';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { readJsonLd } from '../support/pages/json-ld.ts';
import { readPageHead, readSitemap, type SitemapEntry } from '../support/pages/page-head.ts';
import { runAtOnce } from '../support/run-at-once.ts';
import { storeRemovedEndpoint } from '../support/service-files.ts';
import { expect, test } from '../support/shared-service.ts';

const HTML = { accept: 'text/html' };
const HEALTHY = toEndpointPath('https://fxline.sandbox.test/v1/rates/latest');
const TEMPLATE = toEndpointPath('https://profilehub.sandbox.test/v1/users/{userId}');
const DELISTED = toEndpointPath('https://papertrail.sandbox.test/v1/papers/search');
const UNPROBED = toEndpointPath('https://quotes.example.org/v1/quote');

/** Reads all sitemaps that the index lists. Returns their entries by the path of the sitemap. */
async function readSitemaps(
  request: APIRequestContext,
): Promise<ReadonlyMap<string, readonly SitemapEntry[]>> {
  const index = readSitemap(await (await request.get('/sitemap.xml')).text());
  const files = await runAtOnce(index, 4, async ({ url }) => {
    const response = await request.get(url, { maxRedirects: 0 });
    expect(response.status(), url).toBe(200);
    expect(response.headers()['content-type']).toBe('application/xml; charset=utf-8');
    expect(response.headers()['x-nextjs-cache']).toBeUndefined();
    return [new URL(url).pathname, readSitemap(await response.text())] as const;
  });
  return new Map(files);
}

/** Returns the origin of the shared service. Global setup sets it after this file is loaded in the main process. */
const getOrigin = (): string => process.env['TOUCHSTONE_URL'] ?? '';

/** Returns the time in milliseconds since the epoch; NaN without a time. */
const toTime = (text: string | undefined): number => Date.parse(text ?? '');

/** Returns the time of the last change of the content that a page states in its JSON-LD. */
const readModified = (html: string): number => toTime(/"dateModified":"([^"]*)"/.exec(html)?.[1]);

test('robots.txt allows the pages, and names the sitemap', async ({ request }) => {
  const response = await request.get('/robots.txt');
  expect(response.headers()['content-type']).toBe('text/plain; charset=utf-8');
  const lines = (await response.text()).split('\n');
  expect(lines).toContain(`Sitemap: ${getOrigin()}/sitemap.xml`);
  expect(lines).toContain('Disallow: /explore?');
  expect(lines).not.toContain('Disallow: /');
});

test('the sitemap index leads to shards whose newest entries are not newer than the shard', async ({
  request,
}) => {
  const response = await request.get('/sitemap.xml');
  expect(response.headers()['cache-control']).toBe('public, max-age=3600');
  const index = readSitemap(await response.text());
  const sitemaps = await readSitemaps(request);
  expect(sitemaps.get('/sitemap/pages.xml')?.length).toBeGreaterThan(5);
  expect(sitemaps.get('/sitemap/providers.xml')?.length).toBeGreaterThan(3);
  for (const { url, lastModified } of index) {
    const entries = sitemaps.get(new URL(url).pathname) ?? [];
    expect(entries.length, url).toBeGreaterThan(0);
    if (!url.includes('/endpoints-')) continue;
    const newest = Math.max(...entries.map((entry) => toTime(entry.lastModified)));
    expect(newest, url).toBeLessThanOrEqual(toTime(lastModified));
    expect(toTime(lastModified)).toBeLessThanOrEqual(Date.now());
  }
});

test('each page of the sitemap is complete, canonical and unique', async ({ request }) => {
  const entries = [...(await readSitemaps(request)).values()].flat();
  expect(new Set(entries.map(({ url }) => url)).size).toBe(entries.length);
  const heads = await runAtOnce(entries, 6, async ({ url, lastModified }) => {
    const response = await request.get(url, { headers: HTML, maxRedirects: 0 });
    expect(response.status(), url).toBe(200);
    const html = await response.text();
    const head = readPageHead(html);
    expect.soft(head.canonical, url).toBe(url === `${getOrigin()}/` ? getOrigin() : url);
    expect.soft(head.meta['robots'] ?? 'index', url).not.toContain('noindex');
    expect.soft(head.meta['og:url'], url).toBe(head.canonical);
    expect.soft(head.meta['og:title'], url).toBe(head.title);
    expect.soft(head.meta['og:description'], url).toBe(head.meta['description']);
    expect.soft(head.meta['og:image'], url).toMatch(/\/picture\/[a-z0-9-]+\.png$/);
    expect.soft(head.meta['twitter:card'], url).toBe('summary_large_image');
    expect.soft(html.match(/<h1\b/g), url).toHaveLength(1);
    expect.soft(html, url).toMatch(/<html lang="en"/);
    readJsonLd(head.jsonLd, url);
    if (url.includes('/endpoint/') && readModified(html) < toTime(lastModified)) {
      // The page expires just after its data was stored. After that, it is never older than the sitemap says.
      const readAgain = async () => readModified(await (await request.get(url, { headers: HTML })).text());
      await expect.poll(readAgain, url).toBeGreaterThanOrEqual(toTime(lastModified));
    }
    return head;
  });
  const titles = heads.map(({ title }) => title);
  const descriptions = heads.map(({ meta }) => meta['description']);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  expect(descriptions.filter((text, index) => descriptions.indexOf(text) !== index)).toEqual([]);
  for (const description of descriptions) expect(description?.length).toBeGreaterThan(50);
});

test('each kind of page has its JSON-LD, with the links and breadcrumbs of the page', async ({ page }) => {
  for (const [path, types] of [
    ['/', ['WebSite']],
    [HEALTHY, ['WebAPI', 'WebPage']],
    ['/provider/fxline.sandbox.test', ['CollectionPage']],
    ['/trust/leaderboard', ['CollectionPage']],
    ['/explore', ['CollectionPage']],
    ['/trust/stats', ['Dataset', 'WebPage']],
  ] as const) {
    const response = await page.goto(path);
    const nodes = readJsonLd(readPageHead((await response?.text()) ?? '').jsonLd, path);
    expect(
      nodes.map((node) => node['@type']),
      path,
    ).toEqual(types);
    for (const node of nodes) {
      if ('breadcrumb' in node) {
        expect(node.breadcrumb.itemListElement.at(-1)?.item, path).toBe(page.url());
        if (path === HEALTHY) await expectBreadcrumbs(page, node.breadcrumb.itemListElement);
      }
      if (!('mainEntity' in node)) continue;
      const hrefs = await page
        .locator('main a[href^="/endpoint/"]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      const listed = node.mainEntity.itemListElement.map(({ url }) => new URL(url).pathname);
      expect(listed, path).toEqual([...new Set(hrefs)]);
    }
  }
});

/** Compares the breadcrumbs of the JSON-LD with those that an endpoint page shows. */
async function expectBreadcrumbs(page: Page, expected: readonly { readonly name: string }[]): Promise<void> {
  const visible = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem');
  const names = (await visible.allTextContents()).map((name) => name.replace(/\/$/, '').trim());
  expect(names).toEqual(expected.map(({ name }) => name));
}

test('a page that is not for search engines says so and is in no sitemap', async ({ request }) => {
  const listed = new Set([...(await readSitemaps(request)).values()].flat().map(({ url }) => url));
  expect(listed.has(`${getOrigin()}${HEALTHY}`)).toBe(true);
  const excluded = [TEMPLATE, DELISTED, UNPROBED, '/docs/explorer', '/watch'];
  for (const path of [...excluded, '/explore?q=weather', '/explore?grade=A', '/events?kind=outage']) {
    const response = await request.get(path, { headers: HTML });
    expect(response.status(), path).toBe(200);
    expect(readPageHead(await response.text()).meta['robots'], path).toBe('noindex, follow');
    expect(listed.has(`${getOrigin()}${path}`), path).toBe(false);
  }
});

test('HEAD has the status and the headers of GET', async ({ request }) => {
  const paths = [
    ...['/', HEALTHY, '/robots.txt', '/sitemap.xml', '/sitemap/pages.xml', '/endpoint/nothing-aaaaaaaaaa'],
    ...['/provider/fxline.sandbox.test', '/explore', '/sitemap/endpoints-1.xml'],
  ];
  for (const path of paths) {
    const get = await request.get(path, { headers: HTML });
    const head = await request.head(path, { headers: HTML });
    expect(head.status(), path).toBe(get.status());
    expect(head.headers()['content-type'], path).toBe(get.headers()['content-type']);
    expect((await head.body()).length, path).toBe(0);
  }
});

test('unknown pages have status 404', async ({ request }) => {
  for (const path of [
    ...['/nothing', '/endpoint/nothing-here-aaaaaaaaaa', '/provider/nothing.example', '/on-demand/page/gone'],
    ...['/sitemap/endpoints-1.xml', '/sitemap/nothing.xml'],
  ]) {
    const response = await request.get(path, { headers: HTML });
    expect(response.status(), path).toBe(404);
    const type = response.headers()['content-type'] ?? '';
    if (type.startsWith('text/html'))
      expect(readPageHead(await response.text()).meta['robots'], path).toContain('noindex');
  }
});

test('a removed endpoint has status 410 in every format, and its page is not cached', async ({ request }) => {
  const id = 'removedd77';
  await storeRemovedEndpoint(id);
  for (const slug of [`${id}-example-${id}`, `any-words-${id}`]) {
    const page = await request.get(`/endpoint/${slug}`, { headers: HTML });
    expect(page.status()).toBe(410);
    expect(page.headers()['content-type']).toContain('text/html');
    expect(page.headers()['cache-control']).toBe('no-store');
    const html = await page.text();
    expect(html).toContain('This endpoint was removed');
    expect(readPageHead(html).meta['robots']).toContain('noindex');
    expect(readPageHead(html).canonical).toBeUndefined();
    expect((await request.head(`/endpoint/${slug}`)).status()).toBe(410);
  }
  for (const path of [`/endpoint/x-${id}.json`, `/badge/${id}.svg`, `/picture/x-${id}.png`]) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(410);
    expect(await response.json()).toMatchObject({ code: 'resource-removed', instance: path });
  }
});
