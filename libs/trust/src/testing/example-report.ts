import { webcrypto } from 'node:crypto';
import type { TrustReport } from '@touchstone/contract';
import { publishable } from '../report/report-inputs.ts';
import { assembleReport } from '../report/assemble-report.ts';
import { score } from '../score.ts';
import { readSigningKeys } from '../signing/read-signing-keys.ts';
import { signReport } from '../signing/sign-report.ts';
import { daysAgo, healthy, NOW } from './fixtures.ts';
import { factsOf } from './reports.ts';
import type { ScoreInputs } from '../types.ts';

/** The key of RFC 8032, section 7.1, test 1, which signs nothing but the example. */
const EXAMPLE_KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

/** A good endpoint that halved its price twelve days ago, missed three probes, and describes its resource no more. */
const INPUTS: ScoreInputs = healthy({
  firstSeen: daysAgo(94),
  description: 'Current weather and a seven-day forecast for any city.',
  probes: { total: 1_440, scored: 1_434, up: 1_431, excluded: 6, blocked: 0, redirected: 0 },
  envelopes: { pass: 1_102, warnings: 329, errors: 0, unpayable: 0 },
  latency: { p50: 214, p95: 611, n: 1_431 },
  changes: [{ kind: 'price_change', at: daysAgo(12) }],
  watchedSince: daysAgo(94),
  payToSharedWith: 0,
  latestCompliance: 'warnings',
  lastChallenge: { resourceInfoMissing: true, headerBodyMismatch: false },
  settlement: { volumeUsd30d: 812.44, payers30d: 61, topPayerShare: 0.1934 },
});

const CHECKS: NonNullable<TrustReport['compliance']>['checks'] = [
  {
    id: 'v2-resource-url',
    pass: true,
    severity: 'error',
    message: 'resource.url is an absolute URL.',
    fix: null,
    reference:
      'x402 v2 specification, 5.1.2, ResourceInfo: https://github.com/x402-foundation/x402/blob/main/specs/x402-specification-v2.md',
  },
  {
    id: 'v2-description',
    pass: false,
    severity: 'warning',
    message: 'resource.description is missing.',
    fix: 'Describe the resource in one to three sentences, 500 characters at most.',
    reference: 'CDP discovery directory, description: https://docs.cdp.coinbase.com/x402/bazaar',
  },
];

/** The report that the published document shows: what the formula makes of figures that could be anybody's, signed. */
export async function exampleReport(): Promise<TrustReport> {
  const inputs = publishable(INPUTS);
  const facts = factsOf(inputs);
  const { signing } = await readSigningKeys(JSON.stringify({ keys: [EXAMPLE_KEY] }), {
    baseUrl: facts.baseUrl,
    subtle: webcrypto.subtle,
  });
  const { settlement } = facts;
  const report = assembleReport({
    ...facts,
    inputs,
    verdict: score(inputs),
    generatedAt: NOW + 310,
    settlement: settlement && { ...settlement, settlements30d: 61_100, sharedWith: [] },
    latency: { p99: 1_204, mean: 268, vantage: 'eu' },
    compliance: { version: 2, payable: true, checks: CHECKS },
  });
  return signReport(report, signing);
}
