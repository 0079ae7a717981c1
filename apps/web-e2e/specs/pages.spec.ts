import { expect, test } from '../support/site.ts';

const UNKNOWN = '/endpoint/nothing-here-aaaaaaaaaa';

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

test('a chart shows the figures of the day that the arrow keys or the pointer choose', async ({ page }) => {
  await page.goto('/trust/stats');
  const chart = page.locator('figure', { hasText: 'Reachable and compliant endpoints' });
  const rows = chart.locator('tbody tr');
  const readRow = async (index: number) =>
    (await rows.nth(index).locator('th, td').allTextContents()).slice(0, 2);
  const readLegend = async () => [
    await chart.locator('[data-chart-day]').textContent(),
    await chart.locator('[data-chart-value]').first().textContent(),
  ];
  const slider = chart.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  expect(await readLegend()).toEqual(await readRow(1));
  await expect(slider).toHaveAttribute('aria-valuetext', /^\d{4}-\d\d-\d\d: Reachable [\d.]+ %, Compliant/);
  await chart.locator('[data-chart-plot]').click({ position: { x: 2, y: 20 } });
  expect(await readLegend()).toEqual(await readRow((await rows.count()) - 1));
  await slider.blur();
  expect(await readLegend()).toEqual(await readRow(0));
});

test('a focused time shows the local time of the reader', async ({ page }) => {
  await page.goto('/trust/stats');
  const time = page.getByRole('main').locator('time').first();
  await time.focus();
  await expect(time).toHaveAttribute('data-local-time', /\d.*\(your time\)$/);
});

test('an unknown page has status 404, and leads on to the search', async ({ page, complaints }) => {
  const response = await page.goto(UNKNOWN);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
  // The browser logs an error for the status 404. The test expects this error and removes it from `complaints`.
  expect(complaints.splice(0).join()).toContain('404');
  await page.getByLabel('Search endpoints').fill('rates');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL(/\/explore\?q=rates/);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the page of a watch says what to do, and hides its form', async ({ page }) => {
    await page.goto('/watch');
    await expect(page.getByText('GET /v1/watch/{id}/events')).toBeVisible();
    await expect(page.getByLabel('Secret')).toBeHidden();
  });

  test('the pages have their content, and the front page leads to the search', async ({ page }) => {
    for (const [path, content] of [
      ['/docs', 'PAYMENT-SIGNATURE'],
      ['/mcp', 'claude mcp add --transport http'],
      ['/methodology', 'The playground needs JavaScript'],
      ['/', 'Best endpoints'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('main').getByText(content).first()).toBeVisible();
    }
    await page.getByLabel('Search endpoints').fill('fxline');
    await page.getByLabel('Search endpoints').press('Enter');
    await expect(page).toHaveURL(/\/explore\?q=fxline/);
    await expect(page.getByRole('link', { name: /fxline\.sandbox\.test/ }).first()).toBeVisible();
  });
});
