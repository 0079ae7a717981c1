import { expect, test } from '../support/site.ts';

const UNKNOWN = '/endpoint/nothing-here-aaaaaaaaaa';

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

test('the header has one line on every screen', async ({ page }) => {
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
