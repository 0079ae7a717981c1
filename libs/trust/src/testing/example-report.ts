import { webcrypto } from 'node:crypto';
import { SCHEMAS, type TrustReport } from '@touchstone/contract';
import { readChallenge, type Check } from '@touchstone/x402';
import type { ReportFigures, ScoredSource } from '../report/scored-source.ts';
import { readSigningKeys } from '../signing/signing-keys.ts';
import { signDocument } from '../signing/signatures.ts';
import type { Purchase } from '../delivery-facts.ts';
import { createDelivery } from './deliveries.ts';
import { toDaysAgo, createChange, createHealthyInputs, NOW, USDC, withLastChallenge } from './fixtures.ts';
import { createReport, createSource } from './reports.ts';
import type { ScoreInputs } from '../types.ts';

/** Published test key of RFC 8032, section 7.1, test 1. It signs only the example report. */
const EXAMPLE_KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

/**
 * Score inputs of the example report. It describes a good endpoint with one price change twelve days ago, three failed
 * probes, and challenges with a warning.
 */
const INPUTS: ScoreInputs = createHealthyInputs({
  firstSeen: toDaysAgo(94),
  description: 'Current weather and a seven-day forecast for any city.',
  probes: { total: 1_440, scored: 1_434, up: 1_431, excluded: 6, blocked: 0, redirected: 0 },
  envelopes: { pass: 1_102, warnings: 329, errors: 0, unpayable: 0 },
  last24h: { scored: 48, up: 48, free: 0, envelopes: { pass: 0, warnings: 48, errors: 0, unpayable: 0 } },
  last7d: { scored: 288, up: 288 },
  latency: { p50: 214, p95: 611, n: 1_431 },
  changes: [createChange('price_change', toDaysAgo(12), { before: '$0.02', after: '$0.01' })],
  watchedSince: toDaysAgo(94),
  lastFailure: {
    ...{ at: toDaysAgo(11), since: toDaysAgo(11), phase: 'processing', httpStatus: null },
    ...{ error: 'timeout', detail: 'No response within 10 seconds.' },
  },
  ...{ payToSharedWith: 0, payToSharedOnHost: 0 },
  latestCompliance: 'warnings',
  ...withLastChallenge({}),
  settlement: { volumeUsd30d: 812.44, payers30d: 61, topPayerShare: 0.1934 },
  ...createDelivery([createRecordedPurchase()], { delivered: 4, failed: 0 }),
});

/** Returns the purchase of the example record. */
function createRecordedPurchase(): Purchase {
  const { id, purchasedAt, outcome, payment, response } = SCHEMAS['x402-purchase'].example;
  const { amountUsd, transaction } = payment;
  return {
    ...{ id, at: Date.parse(purchasedAt), outcome, amountUsd, transaction },
    ...{ httpStatus: response?.status ?? null, bodyBytes: response?.bytes ?? null },
    schemaFindings: response?.schemaFindings?.length ?? null,
    totalMs: response?.totalMs ?? null,
  };
}

/** Payment requirements in the challenge of the example. The response may be cached, which is a warning. */
const PAYMENT_REQUIRED = {
  x402Version: 2,
  error: 'PAYMENT-SIGNATURE header is required',
  resource: {
    url: 'https://api.example.com/v1/weather',
    description: 'Current weather and a seven-day forecast for any city.',
    mimeType: 'application/json',
  },
  accepts: [
    {
      ...{ scheme: 'exact', network: 'eip155:8453', amount: '10000', asset: USDC },
      ...{ payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C', maxTimeoutSeconds: 60 },
      extra: { name: 'USD Coin', version: '2' },
    },
  ],
};

/** Creates the compliance result of a challenge. */
function createChallenge(
  paymentRequired: Pick<typeof PAYMENT_REQUIRED, 'resource'>,
): ScoredSource['challenge'] {
  const header = Buffer.from(JSON.stringify(paymentRequired)).toString('base64');
  const { version, checks } = readChallenge({
    url: paymentRequired.resource.url,
    method: 'GET',
    status: 402,
    headers: [['payment-required', header]],
    body: '',
  });
  const withResult = (result: Check['result']): Check[] => checks.filter((check) => check.result === result);
  return { version, passed: withResult('pass').map(({ id }) => id), failed: withResult('fail') };
}

/** Creates the signed report that the public documentation shows as an example. */
export async function createExampleReport(): Promise<TrustReport> {
  const { facts } = createSource(INPUTS);
  const report = createReport(INPUTS, {
    challenge: createChallenge(PAYMENT_REQUIRED),
    sharedWith: [],
    facts: {
      ...{ responseMsP99: 1_204, responseMsMean: 268, firstByteMsP50: 196, firstByteMsP95: 574 },
      causes30d: { timeout: 2, 'http-502': 1 },
      settlement: facts.settlement && toExampleSettlement(facts.settlement),
    },
    options: { generatedAt: NOW + 310 },
  });
  return signExample(report);
}

/** Signs a report with the published test key. */
async function signExample(report: TrustReport): Promise<TrustReport> {
  const { signing } = await readSigningKeys(JSON.stringify({ keys: [EXAMPLE_KEY] }), {
    baseUrl: new URL(report.$schema).origin,
    subtle: webcrypto.subtle,
  });
  return signDocument(report, signing);
}

type SettlementFigures = NonNullable<ReportFigures['settlement']>;

/** Adds one wallet to the settlement figures. The figures of this wallet equal the totals. */
function toExampleSettlement(figures: SettlementFigures): SettlementFigures {
  const { payTo, network, lastSettledAt, throughBlock } = figures;
  const settlements30d = 61_100;
  const repeatPayers30d = 38;
  return {
    ...figures,
    ...{ settlements30d, repeatPayers30d },
    wallets: [
      {
        ...{ payTo, network, volumeUsd30d: 812.44, settlements30d, payers30d: 61, topPayerShare: 0.1934 },
        ...{ lastSettledAt, throughBlock },
      },
    ],
  };
}
