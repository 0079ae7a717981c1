import { expect, test } from '../support/site.ts';

test('suggestions show the recommendation and the price', async ({ page }) => {
  await page.goto('/methodology');
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox', { name: 'Search endpoints' })).toBeFocused();
  await page.keyboard.type('fxline');
  await expect(page.getByRole('option').first()).toContainText(/Proceed · Grade [A-F] · \$\d/);
});

for (const path of ['/', '/explore', '/methodology']) {
  test(`${path} keeps every letter that is typed while its scripts load`, async ({ page }) => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(path, { waitUntil: 'commit' });
    const field = await page.locator('#search').elementHandle();
    await page.locator('#search').focus();
    await page.keyboard.type('fx');
    release();
    await page.keyboard.type('line rates', { delay: 15 });
    await expect(page.getByRole('combobox', { name: 'Search endpoints' })).toHaveValue('fxline rates');
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await expect(page.getByRole('listbox')).toBeVisible();
  });
}

test('the search for a URL opens its page, or explains that the URL is not monitored', async ({ page }) => {
  await page.goto('/explore');
  const field = page.locator('#search');
  await field.fill('fxline.sandbox.test/v1/rates/latest');
  await field.press('Enter');
  await expect(page).toHaveURL(/\/endpoint\/fxline-/);
  // The shortcut is part of a script that runs before the load event.
  await page.waitForLoadState('load');
  await page.keyboard.press('Control+K');
  await expect(page.getByRole('combobox', { name: 'Search endpoints' })).toBeFocused();
  await page.keyboard.type('https://fxline.sandbox.test/v1/unknown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This URL is not monitored');
  await expect(page.getByText('touchstone lint')).toBeVisible();
  await page.getByRole('link', { name: 'All monitored endpoints of fxline.sandbox.test' }).click();
  await expect(page).toHaveURL(/\/provider\/fxline\.sandbox\.test$/);
});
