import type { Leaderboard, Preview, Stats } from '../responses/free-responses.ts';
import type { KeySet } from '../responses/signature.ts';
import { TRUST_REPORT_EXAMPLE as report } from './trust-report.ts';

const { generatedAt } = report;

export const PREVIEW_EXAMPLE: Preview = {
  generatedAt,
  population: 1_204,
  populationRule: 'Graded endpoints that a directory lists, with a confidence of at least 0.30.',
  samples: [{ role: 'best', populationRank: 1, report }],
};

export const LEADERBOARD_EXAMPLE: Leaderboard = {
  generatedAt,
  count: 1,
  endpoints: [
    {
      rank: 1,
      resource: report.resource,
      serviceName: report.serviceName,
      score: report.score,
      scoreLow: report.scoreRange.low,
      grade: 'A',
      recommendation: report.recommendation,
      confidence: report.confidence,
      uptime30d: 99.8,
      amountUsd: '0.010000',
      network: 'eip155:8453',
      endpointPage: report.endpointPage,
    },
  ],
};

export const STATS_EXAMPLE: Stats = {
  generatedAt,
  endpoints: 1_497,
  listed: 1_390,
  delisted: 95,
  adopted: 12,
  reachable: 1_103,
  reachableShare: 0.7368,
  compliant: 871,
  compliantShare: 0.5818,
  providers: 395,
  probes30d: 2_011_873,
  grades: { A: 214, B: 391, C: 240, D: 118, F: 241, '?': 293 },
  recommendations: {
    proceed: 553,
    caution: 302,
    parameterize: 18,
    avoid: 331,
    unverified: 268,
    free: 25,
  },
  lastProbedAt: '2026-06-01T00:00:00.000Z',
};

/**
 * Key set with the public key that verifies the example of a trust report. The key is from RFC 8032, section 7.1, test
 * 1.
 */
export const KEY_SET_EXAMPLE: KeySet = {
  keys: [
    {
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      alg: 'Ed25519',
      use: 'sig',
      validFrom: null,
      retiredAt: null,
    },
  ],
};
