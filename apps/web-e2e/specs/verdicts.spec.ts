import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { score, type ScoreInputs } from '@touchstone/trust';
import { STORIES } from '@touchstone/trust/testing/sandbox-stories';
import { toScoreInputs, type Story } from '@touchstone/trust/testing/story';
import { readBlockTime } from '../support/payment/chain.ts';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { figure } from '../support/pages/figure.ts';
import {
  sumPayments,
  filterPaymentsTo,
  readLedger,
  findLastWallet,
  type Payment,
} from '../support/payment/ledger.ts';
import { expect, test } from '../support/site.ts';

async function openPage(page: Page, resource: string): Promise<void> {
  const response = await page.goto(toEndpointPath(resource));
  expect(response?.status()).toBe(200);
}

test('a healthy endpoint has grade A and the recommendation proceed', async ({ page }) => {
  await openPage(page, 'https://fxline.sandbox.test/v1/rates/latest');
  await expect(page.getByRole('img', { name: /^Grade A/ })).toBeVisible();
  await expect(page.getByText('Proceed', { exact: true })).toBeVisible();
  await expect(figure(page, 'Uptime, last 30 days')).toHaveText('100.0%');
  await expect(figure(page, 'Error flags')).toHaveText('0');
  await expect(figure(page, 'Price per call')).toContainText('$0.001');
  await expect(figure(page, 'Price stability')).toHaveText('stable');
  const probes = Number((await figure(page, 'Probes, last 30 days').innerText()).replace(/,/g, ''));
  expect(probes).toBeGreaterThan(14 * 48 - 5);
});

test('an endpoint with a changed payTo address has the recommendation avoid despite its uptime', async ({
  page,
}) => {
  await openPage(page, 'https://mintcheck.sandbox.test/v1/nft/rarity');
  await expect(page.getByText('Avoid', { exact: true })).toBeVisible();
  await expect(figure(page, 'Uptime, last 30 days')).toHaveText('100.0%');
  await expect(figure(page, 'Error flags')).toHaveText('1');
  // The free page shows the number of error flags but not their names.
  await expect(page.locator('body')).not.toContainText('payto-changed');
});

test('an endpoint without a response has grade F', async ({ page }) => {
  await openPage(page, 'https://stillwater.sandbox.test/v1/rivers/level');
  await expect(page.getByRole('img', { name: /^Grade F/ })).toBeVisible();
  await expect(page.getByText('Avoid', { exact: true })).toBeVisible();
  await expect(figure(page, 'Uptime, last 30 days')).toHaveText('0.0%');
});

for (const [failure, resource] of [
  ['a certificate for another host', 'https://crosswire.sandbox.test/v1/ip/locate'],
  ['a self-signed certificate', 'https://homebrew.sandbox.test/v1/recipes/suggest'],
] as const) {
  test(`${failure} counts as downtime`, async ({ page }) => {
    await openPage(page, resource);
    await expect(figure(page, 'Uptime, last 30 days')).toHaveText('0.0%');
  });
}

test('a token that only has the name USDC leads to the recommendation avoid', async ({ page }) => {
  await openPage(page, 'https://goldrush.sandbox.test/v1/airdrops/check');
  await expect(page.getByRole('img', { name: /^Grade F/ })).toBeVisible();
  await expect(page.getByText('Avoid', { exact: true })).toBeVisible();
});

test('a price spike is visible in the price stability', async ({ page }) => {
  await openPage(page, 'https://tickertape.sandbox.test/v1/options/chain');
  await expect(figure(page, 'Price stability')).not.toHaveText('stable');
});

test('a template has the recommendation parameterize and is excluded from search engines', async ({
  page,
}) => {
  await openPage(page, 'https://profilehub.sandbox.test/v1/users/{userId}');
  await expect(page.getByText('Parameterize', { exact: true })).toBeVisible();
  await expect(page.getByText(/cannot be paid or probed/)).toBeVisible();
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/);
});

test('an endpoint without payment is free and has no grade', async ({ page }) => {
  await openPage(page, 'https://commons.sandbox.test/v1/quotes/today');
  await expect(page.getByText('Free', { exact: true })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Ungraded', exact: true })).toBeVisible();
});

test('a delisted endpoint has a notice and is still scored', async ({ page }) => {
  await openPage(page, 'https://papertrail.sandbox.test/v1/papers/search');
  await expect(page.getByText(/no longer in a public directory/).first()).toBeVisible();
  await expect(page.getByRole('img', { name: /^Grade [A-D]/ })).toBeVisible();
});

test('a recorded listing is shown as listed and not probed', async ({ page }) => {
  await openPage(page, 'https://quotes.example.org/v1/quote');
  await expect(page.getByRole('note').getByText('Unverified')).toBeVisible();
  await expect(figure(page, 'Uptime, last 30 days')).toHaveText(/not probed/i);
  await expect(figure(page, 'Price per call')).toContainText('$0.0025');
  await expect(page.getByText('Latest quote of a listed company')).toBeVisible();
});

/** Endpoints of the sandbox scenario. The sandbox validates this file when it starts, so the cast is safe. */
const { endpoints } = JSON.parse(
  readFileSync(new URL('../../sandbox/scenario.json', import.meta.url), 'utf8'),
) as { endpoints: readonly { name: string; url: string; story: string }[] };

/** Reads the recommendation and the number of flags from an endpoint page. */
async function readVerdict(
  page: Page,
): Promise<{ recommendation: string; errors: number; warnings: number }> {
  const chip = page.getByText(/^(Proceed|Caution|Parameterize|Avoid|Unverified|Free)$/).first();
  return {
    recommendation: (await chip.innerText()).toLowerCase(),
    errors: Number(await figure(page, 'Error flags').innerText()),
    warnings: Number(await figure(page, 'Warnings').innerText()),
  };
}

/**
 * Computes the settlement inputs of the score for an endpoint. They come from the payments in the sandbox ledger, which
 * are all on the chains.
 */
function computeSettlement(
  ledger: readonly Payment[],
  endpoint: string,
  { networks = 1 }: Story,
): ScoreInputs['settlement'] {
  const wallet = findLastWallet(ledger, endpoint);
  const { volume, payers, topPayerShare } = sumPayments(
    wallet === null ? [] : filterPaymentsTo(ledger, wallet),
  );
  const sums = { volumeUsd30d: Number(volume) / 1e6, payers30d: payers, topPayerShare };
  // If an endpoint accepts payments on several networks, the service can read only one of them, so the settlement is
  // partial: the sandbox has no chain for Solana.
  return networks > 1 ? { ...sums, partial: true } : sums;
}

/**
 * Computes the expected verdict on a sandbox endpoint from its test story and from the payments in the ledger. Without
 * a ledger, activity is not measured.
 */
function computeVerdict(details: Story, endpoint: string, ledger: readonly Payment[] | null) {
  const inputs = toScoreInputs(details, Date.UTC(2026, 5, 1));
  const paid =
    ledger === null
      ? { settlement: null, networksRead: 0 }
      : { settlement: details.sales && computeSettlement(ledger, endpoint, details) };
  const { recommendation, flags } = score({ ...inputs, ...paid });
  const errors = flags.filter(({ severity }) => severity === 'error').length;
  return { recommendation, errors, warnings: flags.length - errors };
}

/**
 * Returns the possible verdicts on an endpoint with random failures. If its last probe failed, the verdict has the
 * additional warning `not-payable-now`. If its uptime is above 95 %, the warning `uptime-low` is missing, and the
 * recommendation can be `proceed`. If its score is lower than expected, the recommendation can be `caution`.
 */
function listPossibleVerdicts(expected: ReturnType<typeof computeVerdict>) {
  const { warnings } = expected;
  return [
    expected,
    { ...expected, warnings: warnings - 1 },
    { ...expected, recommendation: 'proceed', warnings: warnings - 1 },
    { ...expected, recommendation: 'caution', warnings },
    { ...expected, recommendation: 'caution', warnings: warnings + 1 },
  ];
}

/**
 * Maximum age of an endpoint page, in milliseconds. A page is rendered after each probe, so payments since the last
 * probe are missing.
 */
const PAGE_AGE_MS = 45 * 60_000;

/**
 * Compares the verdict on every endpoint page with the expected verdict. The expected verdict is computed from the test
 * story of the endpoint and from the payments in the sandbox ledger. A page may lack the latest payments, so the
 * verdict without the payments of the last 45 minutes is also accepted. Nothing else may differ: the sandbox has a
 * history of 14 days, so the flags `first-contact` and `low-confidence` depend only on the test story.
 */
test('every endpoint page shows the verdict computed from its test story and payments', async ({ page }) => {
  test.setTimeout(180_000);
  const earlierLedger = readLedger()?.filter(({ at }) => Date.parse(at) < Date.now() - PAGE_AGE_MS) ?? null;
  for (const { name, url, story } of endpoints) {
    const details = STORIES[story];
    if (details === undefined) throw new Error(`No story is named ${story}`);
    await openPage(page, url);
    const shown = await readVerdict(page);
    const verdicts = [earlierLedger, readLedger()].map((ledger) => computeVerdict(details, name, ledger));
    const possible = details.lastProbeMayMiss === true ? verdicts.flatMap(listPossibleVerdicts) : verdicts;
    expect.soft(possible, `${url}, ${story}`).toContainEqual(shown);
  }
});

interface ReportedSettlement {
  readonly network: string;
  readonly payTo: string;
  readonly volumeUsd30d: string | null;
  readonly settlements30d: number | null;
  readonly payers30d: number | null;
  readonly topPayerShare: number | null;
  readonly lastSettledAt: string | null;
  readonly throughBlock: number | null;
}

test('reports contain the exact totals of the payments up to their block', async ({ request }) => {
  test.skip(readLedger() === null, 'anvil is not available for this platform');
  const response = await request.get('/v1/x402-trust-preview');
  const { samples } = (await response.json()) as {
    samples: readonly { report: { settlement: ReportedSettlement | null } }[];
  };
  const read = samples.flatMap(({ report: { settlement } }) =>
    settlement === null || settlement.volumeUsd30d === null ? [] : [settlement],
  );
  expect(read.length).toBeGreaterThan(0);
  for (const { network, payTo, throughBlock, ...reported } of read) {
    // The ledger has no block numbers, only the block time of each payment. The block number of the report is therefore
    // converted to a time.
    const through = await readBlockTime(network, throughBlock ?? 0);
    const payments = filterPaymentsTo(readLedger() ?? [], { network, payTo }).filter(
      ({ at }) => Date.parse(at) <= through,
    );
    const { volume, settlements, payers, topPayerShare } = sumPayments(payments);
    const last = Math.max(...payments.map(({ at }) => Date.parse(at)));
    expect(reported).toMatchObject({
      volumeUsd30d: (Number(volume) / 1e6).toFixed(6),
      settlements30d: settlements,
      payers30d: payers,
      topPayerShare: payers === 0 ? null : Math.floor(topPayerShare * 1e6 + 1e-6) / 1e6,
      lastSettledAt: payments.length === 0 ? null : new Date(last).toISOString(),
    });
  }
});
