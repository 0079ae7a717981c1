import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { score, type ScoreInputs } from '@touchstone/trust';
import { STORIES } from '@touchstone/trust/testing/sandbox-stories';
import { toScoreInputs, type Story } from '@touchstone/trust/testing/story';
import { timeOfBlock } from '../support/chain.ts';
import { endpointPath } from '../support/endpoint-path.ts';
import { figure } from '../support/figure.ts';
import { addUp, paymentsTo, readLedger, walletOf, type Payment } from '../support/ledger.ts';
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
) as { endpoints: readonly { name: string; url: string; story: string }[] };

/** What a page says of an endpoint, in the words of the formula. */
async function said(page: Page): Promise<{ recommendation: string; errors: number; warnings: number }> {
  const chip = page.getByText(/^(Proceed|Caution|Parameterize|Avoid|Unverified|Free)$/).first();
  return {
    recommendation: (await chip.innerText()).toLowerCase(),
    errors: Number(await figure(page, 'Error flags').innerText()),
    warnings: Number(await figure(page, 'Warnings').innerText()),
  };
}

/** What is read of the chain of what an endpoint is paid, where all of a ledger is on it. */
function settlementOf(
  ledger: readonly Payment[],
  endpoint: string,
  { networks = 1 }: Story,
): ScoreInputs['settlement'] {
  const payTo = walletOf(ledger, endpoint);
  const { volume, payers, topPayerShare } = addUp(payTo === null ? [] : paymentsTo(ledger, payTo));
  const sums = { volumeUsd30d: Number(volume) / 1e6, payers30d: payers, topPayerShare };
  // Only one of several networks is read.
  return networks > 1 ? { ...sums, partial: true } : sums;
}

/** The verdict on a story that was paid what the ledger says; activity is unmeasured where no chain is read. */
function verdictOn(told: Story, endpoint: string, ledger: readonly Payment[] | null) {
  const inputs = toScoreInputs(told, Date.UTC(2026, 5, 1));
  const paid =
    ledger === null
      ? { settlement: null, networksRead: 0 }
      : { settlement: told.sales && settlementOf(ledger, endpoint, told) };
  const { recommendation, flags } = score({ ...inputs, ...paid });
  const errors = flags.filter(({ severity }) => severity === 'error').length;
  return { recommendation, errors, warnings: flags.length - errors };
}

/**
 * What chance, by the day, makes of one that fails now and then: its last probe may have missed, which is one warning
 * more, `not-payable-now`; a fortnight of more than 95 % is without `uptime-low`; a bad one falls below the 65 points of
 * `proceed`.
 */
function byChance(steady: ReturnType<typeof verdictOn>) {
  const { warnings } = steady;
  return [
    steady,
    { ...steady, warnings: warnings - 1 },
    { ...steady, recommendation: 'caution', warnings },
    { ...steady, recommendation: 'caution', warnings: warnings + 1 },
  ];
}

/** Pages are made after a probe, every half hour; what was paid since may not be on them. */
const PAGE_AGE_MS = 45 * 60_000;

/**
 * Every endpoint against its story, whose verdict is worked out by hand beside the formula, with what the ledger of the
 * sandbox says it was paid in place of what the story expects on average. What is paid in the present keeps moving: a
 * page has the verdict before or after the payments of the last minutes. All else is exact: the past of the sandbox is
 * 14 days long, so `first-contact` and `low-confidence`, too, are raised by the story or not at all.
 */
test('every endpoint is what its story and the ledger make of it', async ({ page }) => {
  test.setTimeout(180_000);
  const earlier = readLedger()?.filter(({ at }) => Date.parse(at) < Date.now() - PAGE_AGE_MS) ?? null;
  for (const { name, url, story } of endpoints) {
    const told = STORIES[story];
    if (told === undefined) throw new Error(`There is no story ${story}`);
    await open(page, url);
    const shown = await said(page);
    const verdicts = [earlier, readLedger()].map((ledger) => verdictOn(told, name, ledger));
    const possible = told.lastProbeMayMiss === true ? verdicts.flatMap(byChance) : verdicts;
    expect.soft(possible, `${url}, ${story}`).toContainEqual(shown);
  }
});

interface ReportedSettlement {
  readonly payTo: string;
  readonly volumeUsd30d: string | null;
  readonly settlements30d: number | null;
  readonly payers30d: number | null;
  readonly topPayerShare: number | null;
  readonly lastSettledAt: string | null;
  readonly throughBlock: number | null;
}

test('reports have what was really paid up to the block that they name, to the atomic unit', async ({
  request,
}) => {
  test.skip(readLedger() === null, 'npm has no anvil for this machine');
  const answer = await request.get('/v1/x402-trust-preview');
  const { samples } = (await answer.json()) as {
    samples: readonly { report: { settlement: ReportedSettlement | null } }[];
  };
  const read = samples.flatMap(({ report: { settlement } }) =>
    settlement === null || settlement.volumeUsd30d === null ? [] : [settlement],
  );
  expect(read.length).toBeGreaterThan(0);
  for (const { payTo, throughBlock, ...reported } of read) {
    // The chain says when that block was; the ledger has the time of the block of each payment.
    const through = await timeOfBlock(throughBlock ?? 0);
    const payments = paymentsTo(readLedger() ?? [], payTo).filter(({ at }) => Date.parse(at) <= through);
    const { volume, settlements, payers, topPayerShare } = addUp(payments);
    const last = Math.max(...payments.map(({ at }) => Date.parse(at)));
    expect(reported).toMatchObject({
      volumeUsd30d: (Number(volume) / 1e6).toFixed(6),
      settlements30d: settlements,
      payers30d: payers,
      topPayerShare: Math.floor(topPayerShare * 1e6 + 1e-6) / 1e6,
      lastSettledAt: payments.length === 0 ? null : new Date(last).toISOString(),
    });
  }
});
