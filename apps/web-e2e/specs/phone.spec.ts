import { expect, test } from '../support/site.ts';

test('the filters are a sheet that says how many results it shows', async ({ page }) => {
  await page.goto('/explore');
  await expect(page.getByRole('button', { name: 'Apply filters', includeHidden: true })).toHaveCount(0);
  const grade = page.getByRole('checkbox', { name: 'Grade A' });
  await expect(grade).toBeHidden();
  await page.locator('summary', { hasText: 'Filters and sorting' }).click();
  await grade.check();
  await expect(page).toHaveURL(/\/explore\?grade=A$/);
  const count = page.getByRole('region', { name: 'Search result' }).getByRole('status');
  await expect(count).toContainText('endpoints, highest score first');
  const [total = ''] = /\d+(?= endpoints)/.exec((await count.textContent()) ?? '') ?? [];
  await page.getByRole('button', { name: `Show ${total} results` }).click();
  await expect(grade).toBeHidden();
  await expect(count).toBeFocused();
});

test('the button that compares stays in view and does not cover the row with the focus', async ({ page }) => {
  await page.goto('/explore');
  const rows = page.getByRole('region', { name: 'Search result' }).locator('ol > li');
  const button = page.getByRole('button', { name: 'Compare', exact: true });
  await expect(button).not.toBeInViewport();
  await rows.first().getByRole('checkbox').check();
  await expect(button).toBeInViewport({ ratio: 1 });
  const link = rows.last().getByRole('link');
  await link.focus();
  const measureGap = async () => {
    const [row, bar] = [await link.boundingBox(), await button.boundingBox()];
    return row === null || bar === null ? Number.NaN : bar.y - row.y - row.height;
  };
  await expect.poll(measureGap).toBeGreaterThan(0);
  await expect(link).toBeInViewport({ ratio: 1 });
});
