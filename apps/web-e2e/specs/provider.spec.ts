import { toEndpointPath } from '../support/endpoint-path.ts';
import { expect, test } from '../support/site.ts';

const HOST = 'fxline.sandbox.test';
const ENDPOINT = toEndpointPath(`https://${HOST}/v1/rates/latest`);
const PROVIDER = `/provider/${HOST}`;

test('an endpoint page leads to its provider, and the provider to its endpoints', async ({ page }) => {
  await page.goto(ENDPOINT);
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: HOST }).click();
  await expect(page).toHaveURL(new RegExp(`${PROVIDER}$`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(HOST);
  await expect(page.getByText('Uptime, last 30 days')).toBeVisible();
  await expect(page.getByText('Failing now')).toBeVisible();
  const endpoints = page.getByRole('region', { name: 'Endpoints', exact: true });
  await endpoints.getByRole('link', { name: '/v1/rates/latest', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`${ENDPOINT}$`));
});

test('the numbers of the page agree with its list', async ({ page }) => {
  await page.goto(PROVIDER);
  const count = await page
    .getByRole('region', { name: 'Endpoints', exact: true })
    .getByRole('listitem')
    .count();
  expect(count).toBeGreaterThan(0);
  await expect(page.getByText(`Grades of ${count} endpoints`)).toBeVisible();
  await page.getByRole('link', { name: 'Filter and sort these endpoints' }).click();
  await expect(page).toHaveURL(/\/explore\?host=fxline\.sandbox\.test$/);
});

test('a host in upper case is redirected, and an unknown host has status 404', async ({ request }) => {
  const redirect = await request.get(`/provider/${HOST.toUpperCase()}`, { maxRedirects: 0 });
  expect(redirect.status()).toBe(308);
  expect(redirect.headers()['location']).toMatch(new RegExp(`${PROVIDER}$`));
  for (const name of ['unknown.example', '%3Cscript%3E', `${HOST}/more`, `${HOST}.`]) {
    const response = await request.get(`/provider/${name}`);
    expect(response.status()).toBe(404);
    expect(await response.text()).toContain('Page not found');
  }
});

test('the page has a canonical URL, breadcrumbs, and no style attribute', async ({ request }) => {
  const response = await request.get(PROVIDER);
  expect(response.status()).toBe(200);
  const html = await response.text();
  expect(html).toMatch(new RegExp(`<link rel="canonical" href="[^"]*${PROVIDER}"`));
  expect(html).toContain('"@type":"CollectionPage"');
  expect(html).not.toMatch(/<[^>]+ style=/);
});
