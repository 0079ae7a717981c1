import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { score } from '@touchstone/trust';
import { inputsOf, STORIES } from '@touchstone/trust/testing/sandbox-stories';
import { endpointPath } from '../support/endpoint-path.ts';
import { figure } from '../support/figure.ts';
import { expect, test } from '../support/site.ts';

async function open(page: Page, resource: string): Promise<void> {
  const answer = await page.goto(endpointPath(resource));
  expect(answer?.status()).toBe(200);
}

test('a healthy endpoint deserves the money', async ({ page }) => {
  await open(page, 'https://fxline.sandbox.test/v1/rates/latest');
  await expect(page.getByRole('img', { name: /Grade A/ })).toBeVisible();
  await expect(page.getByText('Proceed', { exact: true })).toBeVisible();
  await expect(figure(page, 'Uptime, last 30 days')).toHaveText('100.0%');
  await expect(figure(page, 'Error flags')).toHaveText('0');
  await expect(figure(page, 'Advertised price')).toContainText('$0.001');
  await expect(figure(page, 'Price stability')).toHaveText('stable');
  const probes = Number((await figure(page, 'Probes, last 30 days').innerText()).replace(/,/g, ''));
  expect(probes).toBeGreaterThan(14 * 48 - 5);
});

test('a wallet that was swapped is to be avoided, whatever else is good', async ({ page }) => {
  await open(page, 'https://mintcheck.sandbox.test/v1/nft/rarity');
  await expect(page.getByText('Avoid', { exact: true })).toBeVisible();
  await expect(figure(page, 'Uptime, last 30 days')).toHaveText('100.0%');
  await expect(figure(page, 'Error flags')).toHaveText('1');
  // The page counts flags; it names none.
  await expect(page.locator('body')).not.toContainText('payto-changed');
});

test('a dead endpoint fails', async ({ page }) => {
  await open(page, 'https://stillwater.sandbox.test/v1/rivers/level');
  await expect(page.getByRole('img', { name: /Grade F/ })).toBeVisible();
  await expect(page.getByText('Avoid', { exact: true })).toBeVisible();
  await expect(figure(page, 'Uptime, last 30 days')).toHaveText('0.0%');
});

for (const [what, resource] of [
  ['a certificate for another host', 'https://crosswire.sandbox.test/v1/ip/locate'],
  ['a certificate nobody signed', 'https://homebrew.sandbox.test/v1/recipes/suggest'],
] as const) {
  test(`${what} is an outage`, async ({ page }) => {
    await open(page, resource);
    await expect(figure(page, 'Uptime, last 30 days')).toHaveText('0.0%');
  });
}

test('false USDC is to be avoided', async ({ page }) => {
  await open(page, 'https://goldrush.sandbox.test/v1/airdrops/check');
  await expect(page.getByRole('img', { name: /Grade F/ })).toBeVisible();
  await expect(page.getByText('Avoid', { exact: true })).toBeVisible();
});

test('a price that spiked says so', async ({ page }) => {
  await open(page, 'https://tickertape.sandbox.test/v1/options/chain');
  await expect(figure(page, 'Price stability')).not.toHaveText('stable');
});

test('a template is to be parameterized and is kept out of search engines', async ({ page }) => {
  await open(page, 'https://profilehub.sandbox.test/v1/users/{userId}');
  await expect(page.getByText('Parameterize', { exact: true })).toBeVisible();
  await expect(page.getByText(/cannot be paid or probed/)).toBeVisible();
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/);
});

test('an endpoint that asks for nothing is free and has no grade', async ({ page }) => {
  await open(page, 'https://commons.sandbox.test/v1/quotes/today');
  await expect(page.getByText('Free', { exact: true })).toBeVisible();
  await expect(page.getByRole('img', { name: /ungraded|no grade/i })).toBeVisible();
});

test('a delisted endpoint is still scored and says that it is no longer listed', async ({ page }) => {
  await open(page, 'https://papertrail.sandbox.test/v1/papers/search');
  await expect(page.getByText(/no longer in a public directory/).first()).toBeVisible();
  await expect(page.getByRole('img', { name: /Grade [A-D]/ })).toBeVisible();
});

test('a recorded listing is shown as listed, and as never probed', async ({ page }) => {
  await open(page, 'https://quotes.example.org/v1/quote');
  await expect(page.getByRole('note').getByText('Unverified')).toBeVisible();
  await expect(figure(page, 'Uptime, last 30 days')).toHaveText(/not probed/i);
  await expect(figure(page, 'Advertised price')).toContainText('$0.0025');
  await expect(page.getByText('Latest quote of a listed company')).toBeVisible();
});

/** The sandbox checks the shape of its scenario itself when it starts. */
const { endpoints } = JSON.parse(
  readFileSync(new URL('../../sandbox/scenario.json', import.meta.url), 'utf8'),
) as { endpoints: readonly { url: string; story: string }[] };

/** What a page says of an endpoint, in the words of the formula. */
async function said(page: Page): Promise<{ recommendation: string; errors: number; warnings: number }> {
  const chip = page.getByText(/^(Proceed|Caution|Parameterize|Avoid|Unverified|Free)$/).first();
  return {
    recommendation: (await chip.innerText()).toLowerCase(),
    errors: Number(await figure(page, 'Error flags').innerText()),
    warnings: Number(await figure(page, 'Warnings').innerText()),
  };
}

/**
 * Every endpoint against its story, whose verdict is worked out by hand beside the formula. Three warnings depend on the
 * day and are allowed for: `not-payable-now` on what fails by chance and may have missed its last probe (with which
 * `proceed` becomes `caution`), and `no-settlements` and `single-payer`, which stay away until a chain is read and then
 * come by who paid. `first-contact` and `low-confidence` do not: the past of the sandbox is 14 days long, so they are
 * raised by the story or not at all.
 */
test('every endpoint is what its story makes of it', async ({ page }) => {
  test.setTimeout(180_000);
  for (const { url, story } of endpoints) {
    const told = STORIES[story];
    if (told === undefined) throw new Error(`There is no story ${story}`);
    const { flags } = score(inputsOf(told, Date.UTC(2026, 5, 1)));
    expect(flags.map(({ slug }) => slug)).toEqual(told.flags);
    const errors = flags.filter(({ severity }) => severity === 'error').length;
    const steady = { recommendation: told.recommendation, errors, warnings: flags.length - errors };
    const missed = { recommendation: 'caution', errors, warnings: steady.warnings + 1 };
    const lucky = { ...steady, warnings: steady.warnings - 1 };
    await open(page, url);
    const { warnings, ...rest } = await said(page);
    // What fails by chance now and then may have a fortnight of more than 95 %, without `uptime-low`.
    const byChance = told.mayMissTheLast === true ? [steady, missed, lucky] : [steady];
    const possible = byChance.flatMap((verdict) =>
      [0, 1].map((ofTheChain) => ({ ...verdict, warnings: verdict.warnings + ofTheChain })),
    );
    expect.soft(possible, `${url}, ${story}`).toContainEqual({ ...rest, warnings });
  }
});
