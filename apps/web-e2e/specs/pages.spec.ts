import AxeBuilder from '@axe-core/playwright';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { expect, test } from '../support/site.ts';

const HEALTHY = toEndpointPath('https://fxline.sandbox.test/v1/rates/latest');
const DOWN = toEndpointPath('https://retiree.sandbox.test/v1/stocks/tips');

test('the front page shows the statistics and links to the leaderboard', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/before you pay/);
  await expect(page.getByText('Endpoints in the catalog')).toBeVisible();
  await expect(
    page.getByRole('list', { name: 'Grade distribution' }).or(page.getByLabel('Grade distribution')),
  ).toBeVisible();
  await page.getByRole('link', { name: 'See the leaderboard' }).click();
  await expect(page).toHaveURL(/\/trust\/leaderboard$/);
});

test('the leaderboard is ordered by the lower bound of the score and links to the pages', async ({
  page,
}) => {
  await page.goto('/trust/leaderboard');
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await expect(rows).toHaveCount(25);
  await expect(rows.first().getByRole('img', { name: /Grade A/ })).toBeVisible();
  const texts = await rows.allInnerTexts();
  const bounds = texts.map((text) => Number(/\b\d{1,3}\.\d\s*,\s*(\d{1,3}\.\d)\b/.exec(text)?.[1]));
  expect(bounds).toEqual([...bounds].sort((a, b) => b - a));
  expect(Math.min(...bounds)).toBeGreaterThan(50);
  await expect(page.getByText(/everything that could not be measured counts as 0/)).toBeVisible();
  await rows.first().getByRole('link').click();
  await expect(page).toHaveURL(/\/endpoint\/[a-z0-9-]+-[a-z2-7]{10}$/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('.sandbox.test');
});

for (const [name, path] of [
  ['front page', '/'],
  ['leaderboard', '/trust/leaderboard'],
  ['endpoint page', HEALTHY],
  ['page of an endpoint that is down', DOWN],
] as const) {
  test(`the ${name} fits the screen and is accessible`, async ({ page }) => {
    await page.goto(path);
    const [content, screen] = await page.evaluate(
      () => [document.documentElement.scrollWidth, innerWidth] as const,
    );
    expect(content).toBeLessThanOrEqual(screen);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
  });
}

test('an unknown page has status 404', async ({ page, complaints }) => {
  const response = await page.goto('/endpoint/nothing-here-aaaaaaaaaa');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
  // The browser also logs the status 404 as a console error. This error is expected, so it is removed from the list.
  expect(complaints.splice(0).join()).toContain('404');
});
