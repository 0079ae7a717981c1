import { expect, test } from '../support/site.ts';

const PATH = '/trust/stats';
/** Minimum number of days in the history. The shared service has simulated 14 days, which reach into 14 or 15 UTC days. */
const MIN_DAYS = 14;

/** Titles of the charts over time. */
const CHARTS = [
  'Reachable',
  'Compliant',
  'Endpoints',
  'Hosts',
  'Grades, share of endpoints',
  'Recommendations, share of endpoints',
  'Price per call, USD, listed endpoints',
  'Main network, share of listed endpoints',
];

test('each chart has a summary and a table with a row for each simulated day', async ({ page }) => {
  await page.goto(PATH);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The x402 ecosystem in numbers');
  for (const title of CHARTS) {
    await expect(page.getByRole('img', { name: new RegExp(`^${title}\\. Latest`) })).toBeVisible();
    await page.getByText(`Show as table: ${title}`, { exact: true }).click();
    const table = page.getByRole('group', { name: `Table: ${title}`, exact: true });
    const days = await table.locator('tbody th').allInnerTexts();
    expect(days.length).toBeGreaterThanOrEqual(MIN_DAYS);
    expect(days).toEqual([...new Set(days)].sort().reverse());
    for (const day of days) expect(day).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    const latest = await table.locator('tbody tr').first().innerText();
    expect(latest).not.toContain('no data');
  }
});

test('the charts of the latest day count the same endpoints', async ({ page }) => {
  await page.goto(PATH);
  const sumLatest = async (title: string): Promise<number> => {
    const row = page
      .getByRole('group', { name: `Table: ${title}`, exact: true })
      .locator('tbody tr')
      .first();
    const counts = await row.locator('td').allTextContents();
    return counts.reduce((sum, count) => sum + Number(count.replaceAll(',', '')), 0);
  };
  // Queries by role do not find tables in closed `details` elements.
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  const endpoints = await sumLatest('Endpoints');
  expect(endpoints).toBeGreaterThan(0);
  expect(await sumLatest('Grades, share of endpoints')).toBe(endpoints);
  expect(await sumLatest('Recommendations, share of endpoints')).toBe(endpoints);
});

test('each cause of failures links to an explanation', async ({ page }) => {
  await page.goto(PATH);
  const causes = page.getByRole('region', { name: 'Causes of failure now' });
  await expect(causes).toContainText(/The latest probe of [\d,]+ of [\d,]+ endpoints failed/);
  const links = await causes
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(links.length).toBeGreaterThan(0);
  await page.goto('/methodology');
  for (const link of new Set(links)) {
    const [path, anchor] = (link ?? '').split('#');
    expect(path).toBe('/methodology');
    await expect(page.locator(`[id="${anchor ?? ''}"]`)).toHaveCount(1);
  }
});
