import { toEndpointPath } from '../support/endpoint-path.ts';
import { expect, test } from '../support/site.ts';

const HEALTHY = toEndpointPath('https://fxline.sandbox.test/v1/rates/latest').slice(-10);
const CHANGED = toEndpointPath('https://mintcheck.sandbox.test/v1/nft/rarity').slice(-10);

test('the badge shows the grade, and whether to avoid the endpoint', async ({ page, request }) => {
  const response = await request.get(`/badge/${HEALTHY}.svg`);
  expect(response.status()).toBe(200);
  expect(response.headers()['content-type']).toBe('image/svg+xml');
  expect(response.headers()['cache-control']).toBe('public, max-age=300');
  await page.goto(`/badge/${HEALTHY}.svg`);
  expect(await page.title()).toMatch(
    /^Touchstone: Grade A, trust score \d+\.\d of 100, recommendation Proceed$/,
  );
  await expect(page.getByText('Grade A', { exact: true })).toBeVisible();
  await page.goto(`/badge/${CHANGED}.svg`);
  await expect(page.getByText('Grade C · Avoid', { exact: true })).toBeVisible();
});

test('a page can show the badge as an image', async ({ page, baseURL }) => {
  const url = `${baseURL ?? ''}/badge/${CHANGED}.svg`;
  await page.setContent(`<img alt="" src="${url}">`);
  const image = page.getByRole('presentation');
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalHeight)).toBe(20);
  expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(100);
});

test('each text of the badge fits its part', async ({ page }) => {
  await page.goto(`/badge/${CHANGED}.svg`);
  const boxes = await page.locator('text').evaluateAll((texts) =>
    texts.map((text) => {
      const { left, right } = text.getBoundingClientRect();
      return { left, right };
    }),
  );
  const [name, verdict] = boxes;
  const width = await page.locator('svg').evaluate((svg) => svg.getBoundingClientRect().width);
  expect(name?.left).toBeGreaterThan(0);
  expect(name?.right).toBeLessThan(verdict?.left ?? 0);
  expect(verdict?.right).toBeLessThan(width);
});

test('an unknown id has a problem instead of an image', async ({ request }) => {
  for (const name of ['aaaaaaaaaa.svg', 'nothing.svg', `${HEALTHY}.png`]) {
    const response = await request.get(`/badge/${name}`);
    expect(response.status()).toBe(404);
    expect(response.headers()['content-type']).toBe('application/problem+json');
    expect(response.headers()['cache-control']).toBe('no-store');
    expect(response.headers()['x-nextjs-cache']).toBeUndefined();
    expect(await response.json()).toMatchObject({ code: 'unknown-resource', instance: `/badge/${name}` });
  }
});
