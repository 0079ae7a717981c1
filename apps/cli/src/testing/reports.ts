import { webcrypto } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@touchstone/common';
import type { TrustReport } from '@touchstone/contract';
import {
  assembleReport,
  readSigningKeys,
  type ReportFigures,
  type ScoreInputs,
  signDocument,
  type SigningKeys,
} from '@touchstone/trust';

const NOW = Date.UTC(2026, 5, 1);

/** Score inputs of 30 days with 10 failed probes and 37 payers. */
const INPUTS: ScoreInputs = {
  now: NOW,
  firstSeen: NOW - 90 * DAY_MS,
  listed: true,
  delistedAt: null,
  templated: false,
  description: 'Weather by city',
  probes: { total: 1_440, scored: 1_440, up: 1_430, excluded: 0, blocked: 0, redirected: 0 },
  envelopes: { pass: 1_430, warnings: 0, errors: 0, unpayable: 0 },
  last24h: {
    scored: 48,
    up: 48,
    free: 0,
    envelopes: { pass: 48, warnings: 0, errors: 0, unpayable: 0 },
  },
  last7d: { scored: 336, up: 336 },
  latency: { p50: 310, p95: 840, n: 1_430 },
  changes: [{ kind: 'price_change', at: NOW - 10 * DAY_MS, before: '0.020000', after: '0.010000' }],
  everChallenged: true,
  answeredFree: false,
  lastScoredAt: NOW - HOUR_MS,
  downSince: null,
  lastFailure: null,
  lastUpAt: NOW - HOUR_MS,
  lastChallengedAt: NOW - HOUR_MS,
  lastPayableAt: NOW - HOUR_MS,
  latestCompliance: 'pass',
  watchedSince: NOW - 90 * DAY_MS,
  advertised: {
    amountUsd: '0.010000',
    network: 'eip155:8453',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    falseUsdc: false,
    falseUsdcAsset: null,
    networkKnown: true,
    protocolVersion: 2,
  },
  medianPriceUsd30d: '0.010000',
  settlement: { volumeUsd30d: 1_234.56, payers30d: 37, topPayerShare: 0.25 },
  networksRead: 1,
};

/** Figures of a report that the score does not use. */
const FIGURES: ReportFigures = {
  ...{ firstByteMsP50: null, firstByteMsP95: null, responseMsP99: null, responseMsMean: null },
  ...{
    lowestPriceUsd: null,
    highestPriceUsd: null,
    lastProbedAt: NOW,
    termsAt: null,
    payToDistinct30d: null,
  },
  ...{ challengeHash: null, complianceAt: null, causes30d: {}, settlement: null },
};

/**
 * Creates an unsigned report.
 *
 * @param baseUrl URL of the service that creates the report
 * @param change score inputs of the report
 * @param members changed members of the report
 */
export function createReport(
  baseUrl: string,
  change: Partial<ScoreInputs> = {},
  members: Partial<TrustReport> = {},
): TrustReport {
  const report = assembleReport(
    {
      endpoint: {
        id: '0b9f7c52-4e0c-4d3c-9d4b-2f0e4e0a6a11',
        resource: 'https://api.example.com/v1/weather',
        slug: 'api-example-com-weather-abcdefghij',
        templated: false,
        serviceName: 'Weather',
        source: 'directory',
      },
      payOn: [],
      inputs: { ...INPUTS, ...change },
      facts: FIGURES,
      challenge: null,
      sharedWith: [],
    },
    {
      ...{ baseUrl, vantage: 'eu', generatedAt: NOW + 2_000 },
      freshness: {
        ...{ live: true, probedAt: NOW, liveProbeMs: 212, outcome: 'challenged', httpStatus: 402 },
        ...{ confirms: true, detail: 'The endpoint sent the stored payment terms.' },
      },
    },
  );
  return { ...report, ...members };
}

/** Creates new signing keys. `baseUrl` is the URL of the service that publishes the keys. */
export async function createKeys(baseUrl: string): Promise<SigningKeys> {
  const pair = await webcrypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new TypeError('generateKey returned no key pair');
  const jwk = await webcrypto.subtle.exportKey('jwk', pair.privateKey);
  return readSigningKeys(JSON.stringify(jwk), { baseUrl, subtle: webcrypto.subtle });
}

/** Creates a signed report. `baseUrl` is the URL of the service that signs the report. */
export async function createSignedReport(
  { signing }: SigningKeys,
  baseUrl: string,
  change: Partial<ScoreInputs> = {},
): Promise<TrustReport> {
  return signDocument(createReport(baseUrl, change), signing);
}
