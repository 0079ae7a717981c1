import type { Page } from '@playwright/test';
import { toEndpointPath } from '../support/endpoint-path.ts';
import {
  delayScripts,
  expectAccessible,
  expectFitWhenOpen,
  expectFocusOrder,
  expectNoLayoutShift,
} from '../support/pages/layout.ts';
import { readSitemap } from '../support/pages/page-head.ts';
import { createEndpointId, storeRemovedEndpoint } from '../support/service-files.ts';
import { expect, test } from '../support/site.ts';

/** Width of the narrowest phones, in CSS pixels. */
const NARROWEST = 320;

/** Pages that exist even if the catalog has no endpoints. */
const STATIC_PAGES = [
  ...['/', '/explore', '/trust/leaderboard', '/trust/stats', '/events', '/methodology', '/mcp', '/docs'],
  ...[
    '/check',
    '/claim',
    '/watch',
    '/about',
    '/status',
    '/corrections',
    '/delivery',
    '/dispute',
    '/explore?q=https://unknown.example/v1/x',
  ],
];

const ENDPOINTS = [
  ['healthy endpoint', 'https://fxline.sandbox.test/v1/rates/latest'],
  ['endpoint that needs caution', 'https://dnscope.sandbox.test/v1/domains/whois'],
  ['endpoint with a price spike', 'https://tickertape.sandbox.test/v1/options/chain'],
  ['endpoint that is down', 'https://retiree.sandbox.test/v1/stocks/tips'],
  ['template', 'https://profilehub.sandbox.test/v1/users/{userId}'],
  ['delisted endpoint', 'https://papertrail.sandbox.test/v1/papers/search'],
  ['free endpoint', 'https://commons.sandbox.test/v1/quotes/today'],
  ['unprobed endpoint', 'https://quotes.example.org/v1/quote'],
] as const;

test.use({ contextOptions: { reducedMotion: 'reduce' } });
test.beforeEach(async ({ page, isMobile }) => {
  if (isMobile) await page.setViewportSize({ width: NARROWEST, height: 740 });
});

/**
 * Fails if the content of a page moves while the page loads, if the page is wider than the screen, or if its order of
 * focus is wrong. On a wide screen, axe also checks the page in both themes.
 */
async function expectGoodPage(page: Page, path: string, status = 200): Promise<void> {
  await delayScripts(page);
  // This script renders elements that have the focus, so this test blocks the script. `explore.spec.ts` tests the page
  // with the script.
  await page.route(/\/explore\.js$/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  expect((await page.goto(path))?.status()).toBe(status);
  // A script creates the calculator on this page, so the test waits until the calculator is visible.
  if (path === '/methodology') await expect(page.getByTestId('playground-result')).toBeVisible();
  // A script replaces this form, so the test waits until the form can be used.
  if (path === '/watch' || path === '/claim')
    await expect(page.locator('main form:not([inert])').first()).toBeVisible();
  await expectNoLayoutShift(page);
  await expectFocusOrder(page);
  await expectFitWhenOpen(page);
  if ((page.viewportSize()?.width ?? 0) > NARROWEST) await expectAccessible(page);
}

for (const path of STATIC_PAGES) {
  test(`${path} fits the screen, is accessible in both themes, has a visible focus order and does not move`, async ({
    page,
  }) => {
    await expectGoodPage(page, path);
  });
}

for (const [name, path] of [
  ...ENDPOINTS.map(([name, resource]) => [`page of a ${name}`, toEndpointPath(resource)] as const),
  ['page of a provider', '/provider/fxline.sandbox.test'],
  ['page of a category', '/category/finance'],
  [
    'comparison',
    `/compare?endpoint=${ENDPOINTS.map(([, resource]) => toEndpointPath(resource).slice(-10)).join()}`,
  ],
  ['comparison without endpoints', '/compare'],
  ['events of a host', '/events?host=fxline.sandbox.test'],
  ['page without older events', '/events?kind=earthquake&before=1-1'],
  ['search without a match', '/explore?grade=Z&q=zqxjkvbp'],
] as const) {
  test(`the ${name} fits the screen, is accessible in both themes, has a visible focus order and does not move`, async ({
    page,
  }) => {
    await expectGoodPage(page, path);
  });
}

for (const path of ['/', '/explore']) {
  test(`the scripts of ${path} do not move the content`, async ({ page }) => {
    await delayScripts(page);
    await page.goto(path);
    await expectNoLayoutShift(page);
  });
}

for (const [name, status] of [
  ['an unknown page', 404],
  ['a removed endpoint', 410],
] as const) {
  test(`the error page of ${name} fits the screen and is accessible in both themes`, async ({
    page,
    complaints,
  }) => {
    const id = createEndpointId();
    if (status === 410) await storeRemovedEndpoint(id);
    await expectGoodPage(page, `/endpoint/layout-${id}`, status);
    // The browser logs an error for the status. The test expects this error and removes it from `complaints`.
    expect(complaints.splice(0)).toEqual([expect.stringContaining(String(status))]);
  });
}

test('the navigation and its menu work by keyboard, and the open menu is accessible', async ({
  page,
  isMobile,
}) => {
  // The menu must work without scripts, so the test blocks all scripts.
  await page.route('**/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto('/');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  if (isMobile) {
    await navigation.getByRole('button', { name: 'Menu' }).press('Enter');
    await expect(navigation.getByRole('button', { name: 'Close' })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(navigation.getByRole('button', { name: 'Close' })).toBeHidden();
    await navigation.getByRole('button', { name: 'Menu' }).press('Enter');
  }
  await navigation.getByRole('link', { name: 'Statistics' }).press('Enter');
  await expect(page).toHaveURL(/\/trust\/stats$/);
  await expect(navigation.locator('[aria-current=page]').first()).toHaveText('Statistics');
});

test('every static page of the sitemap has a layout test', async ({ request }) => {
  const entries = readSitemap(await (await request.get('/sitemap/pages.xml')).text());
  const paths = entries.map(({ url }) => new URL(url).pathname);
  expect(paths).toContain('/methodology');
  expect(paths.filter((path) => !STATIC_PAGES.includes(path))).toEqual([]);
});

test('pages scroll smoothly, but not for visitors who prefer reduced motion', async ({ page }) => {
  await page.goto('/methodology');
  const readBehavior = () => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
  expect(await readBehavior()).toBe('auto');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await readBehavior()).toBe('smooth');
});
