import { expect, test } from '../support/site.ts';

test('the API reference has an anchor for each operation', async ({ page }) => {
  await page.goto('/docs#getHistory');
  await expect(page.locator('#getHistory')).toBeInViewport();
  await expect(page).toHaveURL(/\/docs#getHistory$/);
});

test('a language is selected by keyboard for all examples, and remembered', async ({ page }) => {
  await page.goto('/docs');
  const report = page.locator('#getTrustReport');
  await expect(report.getByRole('group', { name: /in curl$/ })).toBeVisible();
  await report.getByRole('radio', { name: 'curl' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(report.getByRole('group', { name: /in TypeScript$/ })).toContainText(
    'wrapFetchWithPaymentFromConfig',
  );
  await expect(report.getByRole('group', { name: /in curl$/ })).toBeHidden();
  await page.reload();
  await expect(page.locator('#getHistory').getByRole('group', { name: /in TypeScript$/ })).toBeVisible();
});

test('the reference sends a request without payment, and shows the challenge', async ({
  page,
  complaints,
}) => {
  await page.goto('/docs');
  const report = page.locator('#getTrustReport');
  await report.getByRole('button', { name: /^Send without payment/ }).click();
  await expect(report.getByRole('status')).toContainText('Status 402');
  const challenge = await report.getByRole('group', { name: 'Response of the service' }).textContent();
  expect(JSON.parse(challenge ?? '')).toMatchObject({
    x402Version: 2,
    accepts: [{ scheme: 'exact', amount: '5000' }],
  });
  // The browser logs an error for the status 402. The test expects this error and removes it from `complaints`.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('402')]);

  const schema = page.locator('#getSchema');
  await schema.getByText('Change the request').click();
  await schema.getByRole('textbox', { name: 'name' }).fill('problem');
  await schema.getByRole('button', { name: /^Send/ }).click();
  await expect(schema.getByRole('group', { name: 'Response of the service' })).toContainText(
    '/schemas/problem/1.0.0.json',
  );
});

test('an error code leads to its explanation', async ({ page }) => {
  await page.goto('/docs');
  await page.locator('#getTrustReport').getByRole('link', { name: 'not-probeable' }).click();
  await expect(page.locator('#error-not-probeable')).toBeInViewport();
});

test('the setup of another MCP client opens by keyboard and closes the first one', async ({ page }) => {
  await page.goto('/mcp');
  const claude = page.getByRole('group', { name: 'Claude Code, remote' });
  await expect(claude).toBeVisible();
  await page.getByText('Cursor', { exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Cursor, remote' })).toContainText('mcpServers');
  await expect(claude).toBeHidden();
  const link = page.getByRole('link', { name: 'Add to Cursor with one click' });
  await expect(link).toHaveAttribute('href', /^cursor:\/\//);
});
