import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectFit, expectNoViolations } from '../support/pages/layout.ts';
import { expect, test } from '../support/site.ts';

const search = (query: string): string => `/explore?q=${encodeURIComponent(query)}`;
const getRegion = (page: Page) => page.getByRole('region', { name: 'Search result' });
const getResults = (page: Page) => getRegion(page).locator('ol > li');
const getFirstLink = (page: Page) => getResults(page).first().getByRole('link');
const getCount = (page: Page) => getRegion(page).getByRole('status');
/** Returns the URL of the page without its origin. */
const getUrl = (page: Page): string => page.url().replace(/^https?:\/\/[^/]*/, '');

/** Opens the explore page and waits until its script runs. On a phone, the filters are opened. */
async function openExplorer(page: Page, path = '/explore'): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('button', { name: 'Apply filters', includeHidden: true })).toHaveCount(0);
  await openFilters(page);
}

/** Presses the Tab key until an element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const isFocused = () => target.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 60 && !(await isFocused()); presses += 1) await page.keyboard.press('Tab');
  await expect(target).toBeFocused();
}

/** Closes the filters, which cover the results on a phone. */
async function showResults(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^Show [\d,]+ results?$/ });
  if (await button.isVisible()) await button.click();
}

async function openFilters(page: Page): Promise<void> {
  const summary = page.locator('summary', { hasText: 'Filters and sorting' });
  if (await summary.isVisible()) await summary.click();
}

test('without JavaScript, search, filters and pages are forms and links', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
  const page = await context.newPage();
  await page.goto('/explore');
  await expect(getResults(page)).toHaveCount(25);
  const first = await getFirstLink(page).getAttribute('href');
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(getCount(page)).toContainText('further endpoints');
  await expect(getFirstLink(page)).not.toHaveAttribute('href', first ?? '');
  await page.getByRole('link', { name: 'First page' }).click();
  await expect(getFirstLink(page)).toHaveAttribute('href', first ?? '');
  await page.getByRole('searchbox').fill('fxline');
  await openFilters(page);
  await page.getByLabel('Sort by').selectOption({ label: 'Lowest price' });
  await page.getByRole('button', { name: 'Apply filters' }).click();
  await expect(page).toHaveURL(/[?&]q=fxline&.*sort=price/);
  await expect(getResults(page).first()).toContainText('fxline.sandbox.test');
  await expect(getCount(page)).toContainText('lowest price first');
  await context.close();
});

test('filters change the result without loading the page, and the URL can be shared', async ({
  page,
  context,
}) => {
  await openExplorer(page);
  await page.evaluate(() => {
    document.body.dataset['kept'] = 'true';
  });
  const grade = page.getByRole('checkbox', { name: 'Grade A' });
  await grade.check();
  await expect(page).toHaveURL(/\/explore\?grade=A$/);
  await expect(getCount(page)).not.toContainText('Loading');
  await expect(grade).toBeFocused();
  await page.getByLabel('Sort by').selectOption({ label: 'Lowest price' });
  await expect(page).toHaveURL(/\/explore\?grade=A&sort=price$/);
  await expect(getCount(page)).toContainText('lowest price first');
  for (const result of await getResults(page).all())
    await expect(result.getByRole('img', { name: 'Grade A' })).toBeVisible();
  await expect(page.locator('body')).toHaveAttribute('data-kept', 'true');

  const shared = await context.newPage();
  await shared.goto(getUrl(page));
  await expect(getCount(shared)).toHaveText((await getCount(page).textContent()) ?? '');
  await expect(getFirstLink(shared)).toHaveAttribute(
    'href',
    (await getFirstLink(page).getAttribute('href')) ?? '',
  );
});

test('the back button restores the filters and the result', async ({ page }) => {
  await openExplorer(page);
  const all = (await getCount(page).textContent()) ?? '';
  await page.getByRole('checkbox', { name: 'Avoid' }).check();
  await expect(page).toHaveURL(/recommendation=avoid$/);
  await expect(getCount(page)).not.toHaveText(all);
  await page.goBack();
  await expect(page).toHaveURL(/\/explore$/);
  await expect(getCount(page)).toHaveText(all);
  await expect(page.getByRole('checkbox', { name: 'Avoid' })).not.toBeChecked();
  await page.goForward();
  await expect(page.getByRole('checkbox', { name: 'Avoid' })).toBeChecked();
  await showResults(page);
  await getRegion(page).getByRole('link', { name: 'Remove the filter Avoid' }).click();
  await expect(page).toHaveURL(/\/explore$/);
  await expect(getCount(page)).toBeFocused();
});

test('each change of a filter is one step of the back button', async ({ page }) => {
  await openExplorer(page);
  await page.getByRole('checkbox', { name: 'Grade A' }).check();
  await expect(page).toHaveURL(/\/explore\?grade=A$/);
  await page.getByRole('checkbox', { name: 'Grade B' }).check();
  await expect(page).toHaveURL(/\/explore\?grade=A,B$/);
  await expect(page).toHaveTitle('x402 endpoints: Grade A, Grade B · Touchstone');
  await page.goBack();
  await expect(page).toHaveURL(/\/explore\?grade=A$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/explore$/);
  await expect(page).toHaveTitle('Explore x402 endpoints · Touchstone');
});

test('the keyboard alone sets and removes a filter', async ({ page }) => {
  await openExplorer(page);
  await page.getByRole('button', { name: 'Search', exact: true }).focus();
  const grade = page.getByRole('checkbox', { name: 'Grade A' });
  await tabTo(page, grade);
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/\/explore\?grade=A$/);
  await expect(grade).toBeFocused();
  await showResults(page);
  const remove = getRegion(page).getByRole('link', { name: 'Remove the filter Grade A' });
  await expect(remove).toBeVisible();
  await tabTo(page, remove);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/explore$/);
  await expect(getCount(page)).toBeFocused();
  await openFilters(page);
  await expect(grade).not.toBeChecked();
});

test('"Load more" moves the focus to the first new endpoint, up to the last page', async ({ page }) => {
  // With this sort order, no endpoint changes its position during the test.
  await openExplorer(page, '/explore?sort=newest');
  const more = getRegion(page).getByRole('button', { name: 'Load more' });
  let shown = await getResults(page).count();
  do {
    await more.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => getResults(page).count()).toBeGreaterThan(shown);
    await expect(getResults(page).nth(shown).getByRole('link')).toBeFocused();
    shown = await getResults(page).count();
  } while (await more.isVisible());
  expect(shown).toBeGreaterThan(50);
  const links = await getResults(page)
    .locator('a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(new Set(links).size).toBe(shown);
  await expect(page).toHaveURL(/\/explore\?sort=newest$/);
});

test('the front page suggests endpoints, which the keyboard alone can open', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Search endpoints' }).focus();
  const field = page.getByRole('combobox', { name: 'Search endpoints' });
  await expect(field).toBeFocused();
  await page.keyboard.type('fxline');
  await expect(page.getByRole('listbox').getByRole('option').first()).toContainText('fxline.sandbox.test');
  await expect(page.getByRole('group', { name: 'Providers' })).toContainText('fxline.sandbox.test');
  await page.keyboard.press('ArrowDown');
  const chosen = page.locator('[role="option"][aria-selected="true"]');
  const href = (await chosen.getAttribute('href')) ?? '';
  expect(href).toMatch(/^\/endpoint\//);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`${href}$`));
});

for (const path of ['/', '/explore']) {
  test(`the Enter key on ${path} searches while suggestions are open and none is chosen`, async ({
    page,
  }) => {
    await page.goto(path);
    await page.locator('#search').focus();
    await expect(page.getByRole('combobox', { name: 'Search endpoints' })).toBeFocused();
    await page.keyboard.type('rates');
    await expect(page.getByRole('listbox')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/explore\?q=rates$/);
    await expect(page.locator('#search')).toHaveValue('rates');
    await expect(getResults(page).first()).toBeVisible();
    await expect(page.getByRole('listbox')).toBeHidden();
  });
}

test('suggestions are cancelled when the visitor leaves the field', async ({ page }) => {
  // The request gets no response, so it is in progress when the visitor leaves the field.
  await page.route('**/api/trpc/explore.suggest?**', () => undefined);
  await page.goto('/explore');
  await page.locator('#search').focus();
  await expect(page.getByRole('combobox', { name: 'Search endpoints' })).toBeFocused();
  const requested = page.waitForRequest('**/api/trpc/explore.suggest?**');
  await page.keyboard.type('rates');
  const request = await requested;
  const cancelled = page.waitForEvent('requestfailed', (failed) => failed === request);
  await page.keyboard.press('Tab');
  await cancelled;
  await expect(page.getByRole('listbox')).toHaveCount(0);
});

test('suggestions fit the screen and are accessible', async ({ page, isMobile }) => {
  await page.goto('/explore');
  await page.locator('#search').focus();
  await page.getByRole('combobox', { name: 'Search endpoints' }).fill('sandbox');
  // The test waits for the suggestions, because Escape would clear the field while they load.
  await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible();
  await expectFit(page);
  if (!isMobile) await expectNoViolations(new AxeBuilder({ page }));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toBeHidden();
  await expect(page.locator('#search')).toHaveValue('sandbox');
});

test('the number at a choice is the number of endpoints that it shows', async ({ page }) => {
  await openExplorer(page);
  const avoid = page.locator('label', { has: page.getByRole('checkbox', { name: 'Avoid' }) });
  const number = /\d+/.exec((await avoid.textContent()) ?? '')?.[0] ?? '';
  expect(Number(number)).toBeGreaterThan(1);
  await avoid.click();
  await expect(getCount(page)).toContainText(`${number} endpoints`);
  await expect(avoid).toContainText(number);
});

test('a failed request is explained and can be repeated', async ({ page, complaints }) => {
  await openExplorer(page);
  await page.route('**/api/trpc/explore.list?**', (route) => route.abort());
  await page.getByRole('checkbox', { name: 'Grade A' }).check();
  const alert = getRegion(page).getByRole('alert');
  await expect(alert).toContainText('The service could not be reached.');
  await page.keyboard.press('Escape');
  await page.unroute('**/api/trpc/explore.list?**');
  // The browser logs an error for each blocked request. The test expects these errors.
  expect(complaints.splice(0).join('\n')).toContain('Failed to load resource');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toBeHidden();
  await expect(getCount(page)).toBeFocused();
  await expect(getCount(page)).toContainText('highest score first');
});

test('a price that is not valid is reported at its field and in the status', async ({ page }) => {
  await openExplorer(page);
  const field = page.getByRole('textbox', { name: 'From', exact: true });
  await field.fill('free');
  await field.press('Tab');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription('Not valid. Use a number of US dollars such as 0.05.');
  await expect(getCount(page)).toContainText('min_price=free. Use a number');
  await field.fill('0.001');
  await field.press('Tab');
  await expect(page).toHaveURL(/\/explore\?min_price=0\.001$/);
  await expect(field).not.toHaveAttribute('aria-invalid');
  await expect(getCount(page)).not.toContainText('not valid');
});

for (const [name, path] of [
  ['explore page', '/explore'],
  ['search result', search('sandbox')],
  ['page with filters', '/explore?grade=A,B&recommendation=proceed&min_price=0.001&status=all&sort=price'],
  ['page without a match', search('<img src=x onerror=alert(1)>zqxjkvbp')],
] as const) {
  test(`the ${name} fits the screen and is accessible in both themes`, async ({ page, isMobile }) => {
    await openExplorer(page, path);
    await expectFit(page);
    if (!isMobile) await expectAccessible(page);
  });
}
