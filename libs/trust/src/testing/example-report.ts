import { webcrypto } from 'node:crypto';
import type { TrustReport } from '@touchstone/contract';
import { toPublishableInputs } from '../report/report-inputs.ts';
import { assembleReport } from '../report/assemble-report.ts';
import { score } from '../score.ts';
import { readSigningKeys } from '../signing/read-signing-keys.ts';
import { signReport } from '../signing/sign-report.ts';
import { toDaysAgo, createHealthyInputs, NOW } from './fixtures.ts';
import { createFacts } from './reports.ts';
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
 * probes, and challenges that do not name their resource.
 */
const INPUTS: ScoreInputs = createHealthyInputs({
  firstSeen: toDaysAgo(94),
  description: 'Current weather and a seven-day forecast for any city.',
  probes: { total: 1_440, scored: 1_434, up: 1_431, excluded: 6, blocked: 0, redirected: 0 },
  envelopes: { pass: 1_102, warnings: 329, errors: 0, unpayable: 0 },
  latency: { p50: 214, p95: 611, n: 1_431 },
  changes: [{ kind: 'price_change', at: toDaysAgo(12) }],
  watchedSince: toDaysAgo(94),
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
    message: 'resource.description is missing, so directories have no text to show or search.',
    fix: 'Describe the resource in one to three sentences, with at most 500 characters.',
    reference: 'CDP discovery directory, description: https://docs.cdp.coinbase.com/x402/bazaar',
  },
];

/** Creates the signed report that the public documentation shows as an example. */
export async function createExampleReport(): Promise<TrustReport> {
  const inputs = toPublishableInputs(INPUTS);
  const facts = createFacts(inputs);
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
