import type { Page } from '@playwright/test';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { figure } from '../support/pages/figure.ts';
import { expect, test } from '../support/site.ts';

const HEALTHY_URL = 'https://fxline.sandbox.test/v1/rates/latest';
const HEALTHY = toEndpointPath(HEALTHY_URL);

test('the page is complete without JavaScript, with the verdict first', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${baseURL ?? ''}${HEALTHY}`);
  const titles = await page.getByRole('heading', { level: 2 }).allInnerTexts();
  expect(titles.slice(0, 3)).toEqual([
    'Proceed',
    expect.stringMatching(/^(?:Since \d{4}-\d\d-\d\d|Last 30 days)$/),
    'What happened',
  ]);
  await expect(page.getByText(/\bold at \d\d:\d\d UTC$/).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(0);
  await page.getByText('Show as table: Daily uptime').click();
  await expect(page.getByRole('group', { name: 'Table: Daily uptime' })).toBeVisible();
  await context.close();
});

test('the age of the snapshot follows the clock of the browser', async ({ page }) => {
  await page.goto(HEALTHY);
  await expect(figure(page, 'Snapshot computed')).toHaveText(/ · (less than a minute|\d+ minutes?) ago$/);
});

test('the call of the report has four forms, which open by keyboard, one at a time', async ({ page }) => {
  // The id opens the section.
  await page.goto(`${HEALTHY}#report`);
  const form = (name: string) => page.getByRole('group', { name: `Trust report, ${name}`, exact: true });
  for (const [name, title, code] of [
    ['CLI', 'Buy: CLI', `buy trust '${HEALTHY_URL}'`],
    ['TypeScript', 'Buy: TypeScript', 'wrapFetchWithPaymentFromConfig'],
    ['MCP', 'Buy: MCP', '"name": "x402_trust_score"'],
    ['curl', 'See the price (curl)', `{"resource":"${HEALTHY_URL}"}`],
  ] as const) {
    await page.getByText(title, { exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect(form(name)).toContainText(code);
    await expect(form(name)).toContainText(HEALTHY_URL);
    await expect(page.locator('details[name=call][open]')).toHaveCount(1);
  }
  await expect(page.getByText(/It costs \$0\.005 in USDC on Base per call/)).toBeVisible();
});

/** Replaces the copy functions of the browser. The copied texts are recorded in `window.copied`. */
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
  await page.goto(`${HEALTHY}#badge`);
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
  await page.goto(`${HEALTHY}#badge`);
  const badge = page.getByRole('img', { name: 'Badge: Touchstone, Proceed · Grade A' });
  await badge.scrollIntoViewIfNeeded();
  await expect
    .poll(() => badge.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]))
    .toEqual(await badge.evaluate((image: HTMLImageElement) => [image.width, image.height]));
});

test('each text of the badge fits its part', async ({ page }) => {
  await page.goto(`/badge/${HEALTHY.slice(-10)}.svg`);
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

/** An endpoint for each recommendation, with its first action. */
const DECISIONS = [
  ['Proceed', HEALTHY_URL, 'Check each payment with the free guard'],
  ['Avoid', 'https://retiree.sandbox.test/v1/stocks/tips', /^See others for this purpose/],
  ['Parameterize', 'https://profilehub.sandbox.test/v1/users/{userId}', /^Replace each placeholder/],
  ['Free', 'https://commons.sandbox.test/v1/quotes/today', 'Call it without a payment'],
  [
    'Unverified',
    'https://quotes.example.org/v1/quote',
    'Send one request without a payment from your own machine, free',
  ],
] as const;

/** Maximum distance from the top of the page to the band of the recommendation, in CSS pixels. */
const MAX_BAND_TOP_PX = 320;

/** Sizes of a desktop and of a phone, each with the maximum height of the page in screens. */
const SCREENS = [
  { width: 1280, height: 800, maxScreens: 2 },
  { width: 390, height: 844, maxScreens: 4 },
] as const;

for (const [recommendation, resource, action] of DECISIONS) {
  test(`the decision ${recommendation} and its action are on the first screen, and the page is short`, async ({
    page,
  }) => {
    for (const { maxScreens, ...size } of SCREENS) {
      await page.setViewportSize(size);
      await page.goto(toEndpointPath(resource));
      await expect(page).toHaveTitle(new RegExp(`^${recommendation}: `));
      await expect(page.getByRole('heading', { level: 2, name: recommendation })).toBeInViewport();
      await expect(page.getByText(action).first()).toBeInViewport();
      const band = page.getByRole('region', { name: recommendation });
      const top = await band.evaluate((element) => element.getBoundingClientRect().top);
      expect(top).toBeLessThan(MAX_BAND_TOP_PX);
      const screens = await page.evaluate(() => document.documentElement.scrollHeight / innerHeight);
      expect(screens).toBeLessThanOrEqual(maxScreens);
    }
  });
}
