import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '../support/site.ts';

test('the API reference says how to pay, what there is and what it costs, without a script', async ({
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
  await expect(page.getByRole('region', { name: /, in curl$/ }).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Table of errors' })).toContainText('payment-in-progress');
  await context.close();
});

test('the API reference and its explorer fit the screen and can be read by everybody', async ({ page }) => {
  await page.goto('/docs');
  await page.locator('#explorer').scrollIntoViewIfNeeded();
  // The explorer comes when the reader is near; it tells about the operations from the published document.
  await expect(page.locator('openapi-explorer').getByText('Touchstone').first()).toBeVisible({
    timeout: 20_000,
  });
  const [content, screen] = await page.evaluate(
    () => [document.documentElement.scrollWidth, innerWidth] as const,
  );
  expect(content).toBeLessThanOrEqual(screen);
  // What stands inside the explorer is its makers' own, a second main landmark among it.
  const { violations } = await new AxeBuilder({ page })
    .exclude('openapi-explorer')
    .disableRules('landmark-no-duplicate-main')
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
});

test('examples open by keyboard, one language at a time', async ({ page }) => {
  await page.goto('/docs');
  const section = page.locator('#getTrustReport');
  const curl = section.getByRole('region', { name: /in curl$/ });
  const typescript = section.getByRole('region', { name: /in TypeScript$/ });
  await expect(curl).toBeVisible();
  await section.getByText('TypeScript', { exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(typescript).toContainText('wrapFetchWithPaymentFromConfig');
  await expect(curl).toBeHidden();
});

test('the statistics say how the ecosystem is graded, and fit the screen', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'All the statistics' }).click();
  await expect(page).toHaveURL(/\/trust\/stats$/);
  await expect(page.getByRole('heading', { level: 2, name: 'What payers are advised' })).toBeVisible();
  const [content, screen] = await page.evaluate(
    () => [document.documentElement.scrollWidth, innerWidth] as const,
  );
  expect(content).toBeLessThanOrEqual(screen);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
});
