import type { TrustReport } from './trust-report.ts';

const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const NOW = '2026-06-01T00:00:00.000Z';

function component(value: number | null, weight: number): TrustReport['components']['age'] {
  const points = value === null ? 0 : value * weight;
  return { value, weight, points, inputs: { days: 90, when: null }, explanation: 'Seen for a while.' };
}

/** A report with something in every field, written by hand. */
export function sampleReport(change: Partial<TrustReport> = {}): TrustReport {
  return {
    $schema: 'https://touchstone.example/schemas/x402-trust/1.0.0.json',
    schemaVersion: '1.0.0',
    schemaType: 'x402-trust',
    resource: 'https://api.example.com/v1/weather/{city}',
    endpointId: '0b9f7c52-4e0c-4d3c-9d4b-2f0e4e0a6a11',
    endpointPage: 'https://touchstone.example/endpoint/api-example-com-weather-abcdefghij',
    serviceName: 'Weather',
    description: 'Weather by city',
    generatedAt: NOW,
    freshness: { live: true, notLiveReason: null, probedAt: NOW, ageSeconds: 0, liveProbeMs: 212 },
    listing: { status: 'listed', firstSeen: '2026-03-03T00:00:00.000Z', delistedAt: null },
    templated: true,
    score: 64,
    scoreRange: { low: 60.1, point: 64, high: 64 },
    grade: 'C',
    gradeThresholds: { A: 80, B: 65, C: 50, D: 35, F: 0 },
    recommendation: 'avoid',
    reasons: ['Payments go to another address than a week ago.'],
    confidence: 0.86,
    confidenceDetail: { overall: 0.86, observation: 0.86, economic: 1 },
    scoringVersion: '1.0.0',
    breakdown: { uptime: 97, compliance: 100, stability: 60.5, activity: null, age: 90, latency: 100 },
    components: {
      uptime: component(0.97, 30),
      compliance: component(1, 25),
      stability: component(0.605, 15),
      activity: component(null, 15),
      age: component(0.9, 10),
      latency: component(1, 5),
    },
    caps: [{ rule: 'payto-changed-recently', limit: 64, explanation: 'It changed.' }],
    flags: {
      'payto-changed-recently': {
        severity: 'error',
        message: 'Payments go to another address than a week ago.',
        evidence: { changes: 1, payTo: PAY_TO },
        since: '2026-05-30T00:00:00.000Z',
      },
    },
    advertised: {
      amount: '10000',
      amountUsd: '0.010000',
      asset: USDC,
      network: 'eip155:8453',
      decimals: 6,
      payTo: PAY_TO,
      protocolVersion: 2,
      networkKnown: true,
      falseUsdc: false,
      observedAt: NOW,
      range30d: { lowUsd: '0.010000', highUsd: '0.020000' },
      options: [
        {
          scheme: 'exact',
          network: 'eip155:8453',
          asset: USDC,
          assetSymbol: 'USDC',
          decimals: 6,
          amount: '10000',
          amountUsd: '0.010000',
          payTo: PAY_TO,
          falseUsdc: false,
        },
      ],
    },
    settlement: {
      payTo: PAY_TO,
      network: 'eip155:8453',
      volumeUsd30d: '1234.560000',
      settlements30d: 4_200,
      payers30d: 37,
      topPayerShare: 0.25,
      lastSettledAt: NOW,
      sharedWith: [],
      throughBlock: 31_337_000,
    },
    compliance: {
      version: 2,
      payable: true,
      checks: [
        {
          id: 'v2-resource-object',
          pass: false,
          severity: 'warning',
          message: 'It names no resource.',
          fix: 'Name it.',
          reference: 'x402 version 2, section 5',
        },
      ],
    },
    stats: {
      scoredAt: NOW,
      windowDays: 30,
      probes: 1_440,
      scored: 1_430,
      up: 1_429,
      excluded: 8,
      blocked: 2,
      redirected: 0,
      envelopes: { checked: 1_429, valid: 1_429, pass: 1_400, warnings: 29, errors: 0, unpayable: 0 },
      latency: { p50: 150, p95: 400, p99: 700, mean: 171, n: 1_429, vantage: 'eu' },
      changes: {
        price: 0,
        payTo: 1,
        assetNetwork: 0,
        events: [{ kind: 'payto_change', at: '2026-05-30T00:00:00.000Z' }],
      },
      everChallenged: true,
      answeredFree: false,
      lastProbedAt: NOW,
      downSince: null,
      watchedSince: '2026-05-01T00:00:00.000Z',
      lastChallengedAt: NOW,
      lastPayableAt: NOW,
      latestCompliance: 'warnings',
      medianAmountUsd: '0.01',
      payToSharedWith: 0,
      networksRead: 1,
      latestChallenge: { resourceInfoMissing: true, headerBodyMismatch: false },
      observedDays: 90,
      firstSeen: '2026-03-03T00:00:00.000Z',
    },
    projection: { at: '2026-07-01T00:00:00.000Z', score: 91.2, grade: 'A' },
    signature: {
      algorithm: 'Ed25519',
      keyId: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      keys: 'https://touchstone.example/.well-known/touchstone-keys.json',
      value: `${'A'.repeat(85)}Q`,
    },
    ...change,
  };
}
