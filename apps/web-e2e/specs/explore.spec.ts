import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { expect, test } from '../support/site.ts';

const RESOURCE = 'https://fxline.sandbox.test/v1/rates/latest';
const PATH = toEndpointPath(RESOURCE);

const search = (query: string): string => `/explore?q=${encodeURIComponent(query)}`;
const getResults = (page: Page) => page.getByRole('region', { name: 'Search result' }).getByRole('listitem');
const getFirstLink = (page: Page) => getResults(page).first().getByRole('link');

for (const [kind, query] of [
  ['a typo', 'fxlime rates latst'],
  ['words of its description', 'exchange rates'],
  ['its URL', RESOURCE],
  ['its URL without the scheme', RESOURCE.replace('https://', '')],
] as const) {
  test(`${kind} finds an endpoint first`, async ({ page }) => {
    await page.goto(search(query));
    await expect(getFirstLink(page)).toHaveAttribute('href', PATH);
  });
}

test('a part of a host finds its endpoints', async ({ page }) => {
  await page.goto(search('fxlin'));
  await expect(getFirstLink(page)).toContainText('fxline.sandbox.test');
  await expect(getResults(page).locator(`a[href="${PATH}"]`)).toBeVisible();
});

test('the front page searches with the keyboard alone', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Search endpoints' }).focus();
  await page.keyboard.type('exchange rates');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/explore\?q=exchange\+rates$/);
  await expect(page.getByRole('searchbox')).toHaveValue('exchange rates');
  await page.getByRole('button', { name: 'Search' }).focus();
  await page.keyboard.press('Tab');
  await expect(getFirstLink(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`${PATH}$`));
});

test('the search works without JavaScript', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
  const page = await context.newPage();
  await page.goto('/explore');
  await page.getByRole('searchbox').fill('fxline');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(getResults(page).first()).toContainText('fxline.sandbox.test');
  await context.close();
});

test('a search without a match is explained', async ({ page }) => {
  await page.goto(search('zqxjkvbp'));
  await expect(page.getByText('No endpoint found for “zqxjkvbp”')).toBeVisible();
});

for (const [name, path] of [
  ['search page', '/explore'],
  ['search result', search('sandbox')],
  ['search page without a match', search('<img src=x onerror=alert(1)>zqxjkvbp')],
] as const) {
  test(`the ${name} fits the screen and is accessible`, async ({ page }) => {
    await page.goto(path);
    const [content, screen] = await page.evaluate(
      () => [document.documentElement.scrollWidth, innerWidth] as const,
    );
    expect(content).toBeLessThanOrEqual(screen);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
  });
}

test('the main navigation fits one line', async ({ page }) => {
  await page.goto('/explore');
  const links = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').all();
  const boxes = await Promise.all(links.map((link) => link.boundingBox()));
  expect(new Set(boxes.filter((box) => box !== null).map(({ y }) => y)).size).toBe(1);
});

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
    expect(html.match(/<script\b[^>]*>/g)).toEqual(['<script src="/age.js" defer="">']);
  });
}

test('a search result is not indexed and not stored', async ({ request }) => {
  for (let view = 0; view < 2; view += 1) {
    const response = await request.get(search('fxline'));
    expect(response.headers()['cache-control']).toBe('no-store');
    expect(response.headers()['x-nextjs-cache']).toBe('MISS');
    expect(response.headers()['ratelimit-policy']).toContain('"free"');
    const html = await response.text();
    expect(html).toContain('<meta name="robots" content="noindex, follow"/>');
    expect(html.match(/<script\b[^>]*>/g)).toEqual(['<script src="/age.js" defer="">']);
  }
  await request.get('/explore');
  const form = await request.get('/explore');
  expect(form.headers()['x-nextjs-cache']).toBe('HIT');
  expect(await form.text()).not.toContain('noindex');
});

test('the search procedure responds over HTTP', async ({ request }) => {
  const input = encodeURIComponent(JSON.stringify({ query: RESOURCE, limit: 1 }));
  const response = await request.get(`/api/trpc/search.endpoints?input=${input}`);
  expect(response.status()).toBe(200);
  expect(response.headers()).toMatchObject({
    'cache-control': 'public, max-age=60',
    'access-control-allow-origin': '*',
  });
  expect(response.headers()['ratelimit-policy']).toContain('"free"');
  expect(await response.json()).toMatchObject({
    result: { data: [{ resource: RESOURCE, slug: PATH.replace('/endpoint/', '') }] },
  });
});

test('the search procedure refuses invalid requests', async ({ request }) => {
  const invalid = await request.get('/api/trpc/search.endpoints?input=%7B%22query%22%3A%22%22%7D');
  expect(invalid.status()).toBe(400);
  expect(invalid.headers()['cache-control']).toBe('no-store');
  expect(await invalid.text()).not.toContain('stack');
  // The procedures of watches are called with POST, which keeps their input out of URLs. So POST is allowed for all
  // procedures, and no cache may store the response.
  const posted = await request.post('/api/trpc/search.endpoints', { data: { query: 'fx' } });
  expect([posted.status(), posted.headers()['cache-control']]).toEqual([200, 'no-store']);
  const read = await request.get(`/api/trpc/watch.read?input=${encodeURIComponent('{"id":"w_a"}')}`);
  expect([read.status(), read.headers()['cache-control']]).toEqual([405, 'no-store']);
  const unknown = await request.get('/api/trpc/search.nothing');
  expect(unknown.status()).toBe(404);
});
