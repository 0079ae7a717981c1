import AxeBuilder from '@axe-core/playwright';
import type { Locator } from '@playwright/test';
import { expectFit } from '../support/pages/layout.ts';
import { expect, test } from '../support/site.ts';

test('the API reference has the payment steps, operations and prices without JavaScript', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${baseURL ?? ''}/docs`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('API reference');
  await expect(page.getByRole('listitem').filter({ hasText: 'PAYMENT-SIGNATURE' })).toBeVisible();
  const table = page.getByRole('region', { name: 'Table of prices' });
  await expect(table.getByRole('row').filter({ hasText: 'POST /v1/x402-trust' }).first()).toContainText(
    '$0.005',
  );
  await expect(table.getByRole('row').filter({ hasText: 'POST /v1/x402-history' })).toContainText('$0.02');
  await expect(table.getByRole('row').filter({ hasText: 'POST /v1/semantic-search' })).toContainText(
    '$0.001',
  );
  await expect(table.getByRole('row').filter({ hasText: 'POST /v1/similar' })).toContainText('$0.005');
  for (const [size, price] of [
    [10, '$0.045'],
    [50, '$0.20'],
    [100, '$0.325'],
    [200, '$0.40'],
    [500, '$0.50'],
  ] as const)
    await expect(
      table
        .getByRole('row')
        .filter({ has: page.getByRole('cell', { name: `POST /v1/x402-trust-bulk-${size}`, exact: true }) }),
    ).toContainText(price);
  for (const path of ['/v1/watch-endpoint-30d', '/v1/watch/{id}/renew'])
    await expect(table.getByRole('row').filter({ hasText: `POST ${path}` })).toContainText('$0.20');
  await expect(page.getByRole('group', { name: /, in curl$/ }).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Table of errors' })).toContainText('search-unavailable');
  await context.close();
});

test('the API reference has an anchor for each operation', async ({ page }) => {
  await page.goto('/docs#getHistory');
  await expect(page.locator('#getHistory')).toBeInViewport();
  await expect(page).toHaveURL(/\/docs#getHistory$/);
});

test('the explorer shows the OpenAPI document on a wide screen, and links to alternatives on a narrow one', async ({
  page,
  isMobile,
}) => {
  await page.goto('/docs');
  await page.getByRole('link', { name: 'API explorer' }).click();
  await expect(page).toHaveTitle(/API explorer/);
  const explorer = page.locator('openapi-explorer');
  if (isMobile) {
    await expect(page.getByText('The explorer needs a wider screen')).toBeVisible();
    await expect(explorer).toHaveCount(0);
  } else {
    await expect(explorer.getByText('Touchstone').first()).toBeVisible({ timeout: 20_000 });
    await expect(page.getByRole('main')).toHaveCount(1);
  }
  await expectFit(page);
  // The explorer component is excluded: it has scroll boxes without keyboard access, and it skips heading levels.
  const { violations } = await new AxeBuilder({ page }).exclude('openapi-explorer').analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
});

test('the buttons of the explorer have enough contrast on hover and in focus', async ({ page, isMobile }) => {
  test.skip(isMobile, 'The explorer is for wide screens');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto('/docs/explorer#?route=get-/trust/leaderboard');
    const button = page
      .locator('openapi-explorer')
      .getByRole('button', { name: /execute/i })
      .first();
    await expect(button).toBeVisible({ timeout: 20_000 });
    await expect.poll(() => measureContrast(button)).toBeGreaterThan(4.5);
    await button.hover();
    await expect.poll(() => measureContrast(button)).toBeGreaterThan(4.5);
    await page.mouse.move(0, 0);
    await page.keyboard.press('Tab');
    await button.focus();
    await expect.poll(() => measureContrast(button)).toBeGreaterThan(4.5);
  }
});

test('the explorer shows a loading error with a link to the OpenAPI document', async ({
  page,
  isMobile,
  complaints,
}) => {
  test.skip(isMobile, 'The explorer is for wide screens');
  await page.route('**/openapi-explorer-*.js', (route) => route.abort());
  await page.goto('/docs/explorer');
  const alert = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  await expect(alert.getByRole('link')).toHaveAttribute('href', '/openapi.json');
  expect(complaints.splice(0)).toEqual([expect.stringContaining('Failed to load resource')]);
});

test('code examples open by keyboard, one language at a time', async ({ page }) => {
  await page.goto('/docs');
  const section = page.locator('#getTrustReport');
  const curl = section.getByRole('group', { name: /in curl$/ });
  const typescript = section.getByRole('group', { name: /in TypeScript$/ });
  await expect(curl).toBeVisible();
  await section.getByText('TypeScript', { exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(typescript).toContainText('wrapFetchWithPaymentFromConfig');
  await expect(curl).toBeHidden();
});

/** Measures the contrast ratio of a text and its background, from 1 to 21 (WCAG 2.2). */
function measureContrast(text: Locator): Promise<number> {
  return text.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element);
    const luminance = (cssColor: string): number => {
      const context = new OffscreenCanvas(1, 1).getContext('2d');
      if (context === null) throw new Error('The browser has no canvas');
      context.fillStyle = cssColor;
      context.fillRect(0, 0, 1, 1);
      const linear = [...context.getImageData(0, 0, 1, 1).data].map((level) => {
        const part = level / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      const [red = 0, green = 0, blue = 0] = linear;
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const [one, other] = [luminance(color), luminance(backgroundColor)];
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  });
}
