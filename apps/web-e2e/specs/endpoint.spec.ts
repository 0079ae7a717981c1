import type { Page } from '@playwright/test';
import { z } from 'zod';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { figure } from '../support/pages/figure.ts';
import { expect, test } from '../support/site.ts';

const HEALTHY_URL = 'https://fxline.sandbox.test/v1/rates/latest';
const HEALTHY = toEndpointPath(HEALTHY_URL);
const DOWN = toEndpointPath('https://retiree.sandbox.test/v1/stocks/tips');
const SPIKED = toEndpointPath('https://tickertape.sandbox.test/v1/options/chain');
const UNPROBED = toEndpointPath('https://quotes.example.org/v1/quote');

/** Maximum size of an endpoint page, in bytes. */
const MAX_HTML_BYTES = 60_000;
/** Maximum size of all scripts of an endpoint page, in bytes. */
const MAX_SCRIPT_BYTES = 5_000;

test('the page is complete without JavaScript, with the verdict first', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${baseURL ?? ''}${HEALTHY}`);
  const titles = await page.getByRole('heading', { level: 2 }).allInnerTexts();
  expect(titles.slice(0, 2)).toEqual(['Verdict', 'Last 30 days']);
  await expect(page.getByText(/\bold at \d\d:\d\d UTC$/).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(0);
  await page.getByText('Show as table: Daily uptime').click();
  await expect(page.getByRole('group', { name: 'Table: Daily uptime, 30 days (UTC)' })).toBeVisible();
  await context.close();
});

test('the age of the snapshot follows the clock of the browser', async ({ page }) => {
  await page.goto(HEALTHY);
  await expect(figure(page, 'Snapshot computed')).toHaveText(/ · (less than a minute|\d+ minutes?) ago$/);
});

test('the breadcrumb leads to the provider', async ({ page }) => {
  await page.goto(HEALTHY);
  const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' });
  await expect(breadcrumb.getByRole('listitem').last()).toHaveText('/v1/rates/latest');
  await expect(breadcrumb.getByRole('link', { name: 'fxline.sandbox.test' })).toHaveAttribute(
    'href',
    '/provider/fxline.sandbox.test',
  );
});

for (const [name, path] of [
  ['healthy', HEALTHY],
  ['failed', DOWN],
] as const) {
  test(`the daily uptime of a ${name} endpoint adds up to its 30-day uptime`, async ({ page }) => {
    await page.goto(path);
    const rows = page
      .getByRole('group', { name: 'Table: Daily uptime, 30 days (UTC)', includeHidden: true })
      .locator('tbody tr');
    const days = (await rows.evaluateAll((elements) => elements.map((row) => row.textContent))).map((text) =>
      /^\d{4}-\d\d-\d\d(?:no data|([\d.]+)%)(\d+)$/.exec(text),
    );
    expect(days).toHaveLength(30);
    const scored = days.reduce((sum, day) => sum + Number(day?.[2]), 0);
    const up = days.reduce((sum, day) => sum + (Number(day?.[1] ?? 0) / 100) * Number(day?.[2]), 0);
    expect(scored).toBeGreaterThan(100);
    const text = await page.getByText('Uptime over all 30 days: ').innerText();
    const [, sum, probes] = /: ([\d.]+)% of ([\d,]+) probes\.$/.exec(text) ?? [];
    expect(Number(probes?.replaceAll(',', ''))).toBe(scored);
    expect(Math.abs((100 * up) / scored - Number(sum))).toBeLessThan(0.3);
    const uptime = Number.parseFloat(await figure(page, 'Uptime, last 30 days').innerText());
    expect(Math.abs(uptime - Number(sum))).toBeLessThan(0.3);
  });
}

test('the price line has the price before and after a spike', async ({ page }) => {
  await page.goto(SPIKED);
  const chart = page.getByRole('img', { name: /^Price per call\./ });
  await expect(chart).toHaveAccessibleName(/Latest \$0\.40 .*lowest \$0\.02 .*highest \$0\.40 /);
});

test('an endpoint without daily figures has the reason', async ({ page }) => {
  await page.goto(UNPROBED);
  await expect(page.getByText(/^No probe yet\. Daily uptime/)).toBeVisible();
});

const summarySchema = z.object({
  endpoint: z.object({
    grade: z.string(),
    score: z.number(),
    recommendation: z.string(),
    confidence: z.number(),
    uptime30d: z.number().nullable(),
    priceStability: z.string().nullable(),
    firstSeen: z.string(),
    errorFlags: z.number(),
    warningFlags: z.number(),
    description: z.string().nullable(),
  }),
});

test('the JSON of the page has the same figures', async ({ page, request }) => {
  await page.goto(SPIKED);
  const link = page.getByRole('link', { name: 'This page as signed JSON' });
  const response = await request.get((await link.getAttribute('href')) ?? '');
  const { endpoint } = summarySchema.parse(await response.json());
  await expect(page.getByText(`of 100 · Grade ${endpoint.grade}`)).toBeVisible();
  await expect(page.getByText(endpoint.score.toFixed(1), { exact: true })).toBeVisible();
  await expect(figure(page, 'Confidence')).toContainText(endpoint.confidence.toFixed(2));
  await expect(figure(page, 'Uptime, last 30 days')).toHaveText(`${endpoint.uptime30d?.toFixed(1) ?? ''}%`);
  await expect(figure(page, 'Price stability')).toHaveText(endpoint.priceStability ?? '');
  await expect(figure(page, 'First seen')).toHaveText(endpoint.firstSeen.slice(0, 10));
  await expect(figure(page, 'Error flags')).toHaveText(String(endpoint.errorFlags));
  await expect(figure(page, 'Warnings')).toHaveText(String(endpoint.warningFlags));
  await expect(page.getByText(endpoint.description ?? '', { exact: true })).toBeVisible();
});

test('the call of the report has four forms, which open by keyboard, one at a time', async ({ page }) => {
  await page.goto(HEALTHY);
  const form = (name: string) => page.getByRole('group', { name: `Trust report, ${name}`, exact: true });
  await expect(form('CLI')).toContainText(`buy trust '${HEALTHY_URL}'`);
  for (const [name, title, code] of [
    ['TypeScript', 'TypeScript', 'wrapFetchWithPaymentFromConfig'],
    ['MCP', 'MCP', '"name": "x402_trust_score"'],
    ['curl', 'See the price (curl)', `{"resource":"${HEALTHY_URL}"}`],
  ] as const) {
    await page.getByText(title, { exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect(form(name)).toContainText(code);
    await expect(form(name)).toContainText(HEALTHY_URL);
    await expect(form('CLI')).toBeHidden();
  }
  await expect(page.getByText(/It costs \$0\.005 in USDC on Base per call/)).toBeVisible();
});

/** Replaces the functions of the browser that copy text, and records the copied texts in `window.copied`. */
async function replaceClipboard(page: Page, { isAllowed }: { readonly isAllowed: boolean }): Promise<void> {
  await page.addInitScript((allowed) => {
    const copied: string[] = [];
    Object.assign(window, { copied });
    const writeText = (text: string): Promise<void> => {
      if (!allowed) return Promise.reject(new DOMException('refused', 'NotAllowedError'));
      copied.push(text);
      return Promise.resolve();
    };
    Object.defineProperty(navigator, 'clipboard', { value: { writeText } });
    Object.assign(document, { execCommand: () => false });
  }, isAllowed);
}

test('a button copies the code and announces it', async ({ page }) => {
  await replaceClipboard(page, { isAllowed: true });
  await page.goto(HEALTHY);
  const button = page.getByRole('button', { name: 'Copy: Badge, Markdown' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached();
  await expect(page.getByRole('button', { name: 'Copied: Badge, Markdown' })).toBeVisible();
  const copied = await page.evaluate(() => (window as unknown as { readonly copied: string[] }).copied);
  expect(copied).toEqual([
    expect.stringMatching(
      /^\[!\[Touchstone trust grade of fxline\.sandbox\.test\]\(http.*\/badge\/[a-z2-7]{10}\.svg\)\]\(http.*\)$/,
    ),
  ]);
  await expect(button).toBeVisible();
});

test('the code is selected if the browser refuses access to the clipboard', async ({ page }) => {
  await replaceClipboard(page, { isAllowed: false });
  await page.goto(HEALTHY);
  await page.getByRole('button', { name: 'Copy: Guard, command' }).click();
  await expect(page.getByRole('button', { name: /^Selected, copy with the keyboard/ })).toBeVisible();
  const selected = await page.evaluate(() => getSelection()?.toString());
  expect(selected).toContain(HEALTHY_URL);
});

test('the badge is shown in its size', async ({ page }) => {
  await page.goto(HEALTHY);
  const badge = page.getByRole('img', { name: 'Badge: Touchstone, Grade A' });
  await badge.scrollIntoViewIfNeeded();
  await expect
    .poll(() => badge.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]))
    .toEqual(await badge.evaluate((image: HTMLImageElement) => [image.width, image.height]));
});

test('the page and its scripts are small', async ({ request }) => {
  for (const path of [HEALTHY, DOWN]) {
    const html = await (await request.get(path)).text();
    expect(Buffer.byteLength(html)).toBeLessThan(MAX_HTML_BYTES);
    const scripts = [...html.matchAll(/<script\b[^>]*\bsrc="([^"]*)"/g)].map(([, source = '']) => source);
    expect(scripts.toSorted()).toEqual(['/age.js', '/copy.js']);
    const sizes = await Promise.all(
      scripts.map(async (source) => (await (await request.get(source)).body()).length),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_SCRIPT_BYTES);
  }
});
