import { readFileSync } from 'node:fs';
import { score, type ScoreInputs } from '@touchstone/trust';
import { STORIES } from '@touchstone/trust/testing/sandbox-stories';
import { toScoreInputs, type Story } from '@touchstone/trust/testing/story';
import { expect, it, vi } from 'vitest';
import { readBlockTime } from '../support/payment/chain.ts';
import { readEndpointPage, readFigure, readVerdictText } from '../support/pages/page-text.ts';
import { pay } from '../support/payment/buyer.ts';
import {
  sumPayments,
  filterPaymentsTo,
  readLedger,
  findLastWallet,
  type Payment,
} from '../support/payment/ledger.ts';
import { runAtOnce } from '../support/run-at-once.ts';
import { request } from '../support/site-request.ts';

it('an endpoint that a paid report added is not called listed', async () => {
  const listed = 'https://fxline.sandbox.test/v1/rates/latest';
  const resource = `${listed}?base=CHF`;
  const report: unknown = await (await pay('/v1/x402-trust', { resource })).json();
  expect(report).toMatchObject({ resource, listing: { source: 'adopted' }, related: { resource: listed } });
  const html = await vi.waitFor(() => readEndpointPage(resource), { timeout: 50_000, interval: 250 });
  expect(html).toContain('No directory lists this endpoint. It was added by a paid report.');
  expect(readFigure(html, 'Directory')).toBe('Not listed');
  expect(html).toMatch(/<meta name="robots" content="noindex/);
});

/** Endpoints of the sandbox scenario. The sandbox validates this file when it starts, so the cast is safe. */
const { endpoints } = JSON.parse(
  readFileSync(new URL('../../sandbox/scenario.json', import.meta.url), 'utf8'),
) as { endpoints: readonly { name: string; url: string; story: string }[] };

/** Reads the recommendation and the number of flags from an endpoint page. */
async function readVerdict(resource: string) {
  const html = await readEndpointPage(resource);
  const [recommendation = ''] =
    /\b(?:Proceed|Caution|Parameterize|Avoid|Unverified|Free)\b/.exec(readVerdictText(html)) ?? [];
  return {
    recommendation: recommendation.toLowerCase(),
    errors: Number(readFigure(html, 'Error flags')),
    warnings: Number(readFigure(html, 'Warnings')),
  };
}

/**
 * Computes the settlement inputs of the score for an endpoint from the payments in the sandbox ledger. All these
 * payments are on the chains.
 */
function computeSettlement(
  ledger: readonly Payment[],
  endpoint: string,
  { networks = 1 }: Story,
): ScoreInputs['settlement'] {
  const wallet = findLastWallet(ledger, endpoint);
  const { volume, returned, payers, topPayerShare } = sumPayments(
    wallet === null ? [] : filterPaymentsTo(ledger, wallet),
  );
  const sums = {
    ...{ volumeUsd30d: Number(volume) / 1e6, payers30d: payers, topPayerShare },
    ...(returned === 0n ? {} : { returnedUsd30d: Number(returned) / 1e6 }),
  };
  // An endpoint may accept payments on several networks. The service can read only one of them, because the sandbox has
  // no chain for Solana. So the settlement is partial.
  return networks > 1 ? { ...sums, partial: true } : sums;
}

/**
 * Computes the expected verdict on a sandbox endpoint from its test story (its simulated situation) and from the
 * payments in the ledger. Without a ledger, activity is not measured.
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
 * additional warning `not-payable-now`. If many probes of the last 24 hours failed, it has the additional warning
 * `uptime-falling`. If its uptime is above 95 %, the warning `uptime-low` is missing, and the recommendation can be
 * `proceed`. If its score is lower than expected, the recommendation can be `caution`.
 */
function listPossibleVerdicts(expected: ReturnType<typeof computeVerdict>) {
  const { warnings } = expected;
  return [
    expected,
    { ...expected, warnings: warnings - 1 },
    { ...expected, recommendation: 'proceed', warnings: warnings - 1 },
    { ...expected, recommendation: 'caution', warnings },
    { ...expected, recommendation: 'caution', warnings: warnings + 1 },
    { ...expected, recommendation: 'caution', warnings: warnings + 2 },
  ];
}

/**
 * Maximum age of an endpoint page, in milliseconds. A page is rendered after each probe, so payments after the last
 * probe are missing on the page.
 */
const PAGE_AGE_MS = 45 * 60_000;

/**
 * Compares the verdict on every endpoint page with the expected verdict. The expected verdict is computed from the test
 * story of the endpoint and from the payments in the sandbox ledger. A page may lack the latest payments, so the
 * verdict without the payments of the last 45 minutes is also accepted. Nothing else may differ: the sandbox has a
 * history of 14 days, so the flags `first-contact` and `low-confidence` depend only on the test story.
 */
it('every endpoint page shows the verdict computed from its test story and payments', async () => {
  const earlierLedger = readLedger()?.filter(({ at }) => Date.parse(at) < Date.now() - PAGE_AGE_MS) ?? null;
  await runAtOnce(endpoints, 4, async ({ name, url, story }) => {
    const details = STORIES[story];
    if (details === undefined) throw new Error(`No story is named ${story}`);
    const shown = await readVerdict(url);
    const verdicts = [earlierLedger, readLedger()].map((ledger) => computeVerdict(details, name, ledger));
    const settled = details.lastProbeMayMiss === true ? verdicts.flatMap(listPossibleVerdicts) : verdicts;
    // Agents report the seller for testers some seconds after the start of the real time.
    const possible =
      story === 'testers-only'
        ? settled.flatMap((each) => [
            each,
            { ...each, warnings: each.warnings + 1 },
            { ...each, warnings: each.warnings + 1, recommendation: 'caution' },
          ])
        : settled;
    expect.soft(possible, `${url}, ${story}`).toContainEqual(shown);
  });
});

interface ReportedSettlement {
  readonly network: string;
  readonly payTo: string;
  readonly volumeUsd30d: string | null;
  readonly returnedUsd30d: string | null;
  readonly settlements30d: number | null;
  readonly payers30d: number | null;
  readonly topPayerShare: number | null;
  readonly lastSettledAt: string | null;
  readonly throughBlock: number | null;
}

it('reports contain the exact totals of the payments up to their block', async ({ skip }) => {
  skip(readLedger() === null, 'anvil is not available for this platform');
  const response = await request('/v1/x402-trust-preview');
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
    const { volume, returned, settlements, payers, topPayerShare } = sumPayments(payments, through);
    const last = Math.max(...payments.map(({ at }) => Date.parse(at)));
    expect(reported).toMatchObject({
      volumeUsd30d: (Number(volume) / 1e6).toFixed(6),
      returnedUsd30d: (Number(returned) / 1e6).toFixed(6),
      settlements30d: settlements,
      payers30d: payers,
      topPayerShare: payers === 0 ? null : Math.floor(topPayerShare * 1e6 + 1e-6) / 1e6,
      lastSettledAt: payments.length === 0 ? null : new Date(last).toISOString(),
    });
  }
});
