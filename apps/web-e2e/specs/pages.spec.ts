import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { expect, test } from '../support/site.ts';

const HEALTHY = toEndpointPath('https://fxline.sandbox.test/v1/rates/latest');
const DOWN = toEndpointPath('https://retiree.sandbox.test/v1/stocks/tips');
const UNKNOWN = '/endpoint/nothing-here-aaaaaaaaaa';

const findNavigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });

test('the front page explains the service and shows live figures with their age', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/before you pay/);
  await expect(page.getByText(/APIs that charge for each call/)).toBeVisible();
  const figures = page.getByRole('region', { name: 'The endpoints that we monitor' });
  for (const label of ['Endpoints monitored', 'Recommended for payment', 'Probes, last 30 days'])
    await expect(figures.getByText(label)).toBeVisible();
  await expect(figures.locator('[data-age-of]')).toHaveText(/ago$/);
  await page.getByRole('link', { name: 'Full leaderboard' }).click();
  await expect(page).toHaveURL(/\/trust\/leaderboard$/);
});

test('the search of the front page is on the first screen and finds an endpoint', async ({ page }) => {
  await page.goto('/');
  const field = page.getByLabel('Search endpoints');
  await expect(field).toBeInViewport();
  await field.fill('fxline');
  await field.press('Enter');
  await expect(page).toHaveURL(/\/explore\?q=fxline/);
  await expect(page.getByRole('link', { name: /fxline\.sandbox\.test/ }).first()).toBeVisible();
});

test('the front page links the newest events and the best endpoints', async ({ page }) => {
  await page.goto('/');
  const events = page.getByRole('region', { name: 'Latest changes' });
  await expect(events.getByRole('listitem')).toHaveCount(5);
  await events.getByRole('listitem').first().getByRole('link').first().click();
  await expect(page).toHaveURL(/\/endpoint\/[a-z0-9-]+-[a-z2-7]{10}$/);
  await page.goBack();
  const best = page.getByRole('region', { name: 'Best trust scores' });
  await expect(best.getByRole('listitem')).toHaveCount(5);
});

test('the leaderboard is ordered by the lower bound of the score and links to the pages', async ({
  page,
}) => {
  await page.goto('/trust/leaderboard');
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await expect(rows).toHaveCount(25);
  await expect(rows.first().getByRole('img', { name: /Grade A/ })).toBeVisible();
  const texts = await rows.allInnerTexts();
  const bounds = texts.map((text) => Number(/\b\d{1,3}\.\d\s*,\s*(\d{1,3}\.\d)\b/.exec(text)?.[1]));
  expect(bounds).toEqual([...bounds].sort((a, b) => b - a));
  expect(Math.min(...bounds)).toBeGreaterThan(50);
  await expect(page.getByText(/everything that could not be measured counts as 0/)).toBeVisible();
  await rows.first().getByRole('link').click();
  await expect(page).toHaveURL(/\/endpoint\/[a-z0-9-]+-[a-z2-7]{10}$/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('.sandbox.test');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the navigation and its menu work by keyboard', async ({ page, isMobile }) => {
    await page.goto('/');
    const navigation = findNavigation(page);
    if (isMobile) {
      await navigation.getByRole('button', { name: 'Menu' }).press('Enter');
      await expect(navigation.getByRole('button', { name: 'Close' })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(navigation.getByRole('button', { name: 'Close' })).toBeHidden();
      await navigation.getByRole('button', { name: 'Menu' }).press('Enter');
    }
    await navigation.getByRole('link', { name: 'Statistics' }).press('Enter');
    await expect(page).toHaveURL(/\/trust\/stats$/);
    await expect(navigation.locator('[aria-current=page]').first()).toHaveText('Statistics');
  });
});

test('the header has one line on every screen', async ({ page, isMobile }) => {
  test.skip(isMobile, 'The test sets the width of the screen');
  await page.goto('/methodology');
  for (const width of [320, 360, 390, 768, 1024]) {
    await page.setViewportSize({ width, height: 740 });
    const [header, name] = await page
      .locator('header')
      .evaluate((element) =>
        [element, element.querySelector('a')].map((box) => box?.getBoundingClientRect().height ?? 0),
      );
    expect(header).toBeLessThan(2 * (name ?? 0));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});

test('the open menu is accessible', async ({ page, isMobile }) => {
  test.skip(!isMobile, 'Wide screens have no menu');
  await page.goto('/');
  await findNavigation(page).getByRole('button', { name: 'Menu' }).click();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
});

test('an unknown page has status 404, and leads on to the search', async ({ page, complaints }) => {
  const response = await page.goto(UNKNOWN);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
  // The browser logs an error for the status 404. The test expects it and removes it from the complaints.
  expect(complaints.splice(0).join()).toContain('404');
  await page.getByLabel('Search endpoints').fill('rates');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL(/\/explore\?q=rates/);
});

test('each page names a picture of 1200 by 630 pixels for link previews', async ({
  page,
  request,
  baseURL,
}) => {
  const urls = new Set<string>();
  for (const path of ['/', '/trust/leaderboard', HEALTHY, DOWN]) {
    await page.goto(path);
    const url = (await page.locator('meta[property="og:image"]').getAttribute('content')) ?? '';
    const local = new URL(new URL(url).pathname, baseURL).href;
    urls.add(local);
    const response = await request.get(local);
    expect(response.status()).toBe(200);
    expect(response.headers()['content-type']).toBe('image/png');
    const png = await response.body();
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  }
  expect(urls.size).toBe(3);
});

test('an unknown picture has a problem instead of an image', async ({ request }) => {
  for (const name of ['nothing-here-aaaaaaaaaa.png', 'site.svg', `other-${HEALTHY.slice(-10)}.png`]) {
    const response = await request.get(`/picture/${name}`);
    expect(response.status()).toBe(404);
    expect(response.headers()['content-type']).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ code: 'unknown-resource', instance: `/picture/${name}` });
  }
});
