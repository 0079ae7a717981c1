import { expect, test } from '../support/site.ts';

test.use({ javaScriptEnabled: false });

test('the checkboxes of a list open a comparison, without JavaScript', async ({ page }) => {
  await page.goto('/explore');
  const rows = page.getByRole('region', { name: 'Search result' }).locator('ol > li');
  const chosen = [rows.nth(0), rows.nth(2)];
  const paths: string[] = [];
  for (const row of chosen) {
    await row.getByRole('checkbox').check();
    paths.push((await row.getByRole('link').getAttribute('href')) ?? '');
  }
  await expect(page).toHaveURL(/\/explore$/);
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page).toHaveURL(/\/compare\?endpoint=[\w-]+&endpoint=[\w-]+$/);
  const links = page.getByRole('region', { name: 'Comparison' }).getByRole('columnheader').getByRole('link');
  await expect(links).toHaveCount(2);
  for (const [index, path] of paths.entries()) await expect(links.nth(index)).toHaveAttribute('href', path);
});
