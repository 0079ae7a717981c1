import type { Ecosystem } from '@touchstone/store';

/** Creates the figures of a catalog of 15,000 endpoints. The overrides replace single properties. */
export function createEcosystem(overrides: Partial<Ecosystem> = {}): Ecosystem {
  return {
    ...{ endpoints: 15_000, listed: 14_000, delisted: 1_000, adopted: 12, reachable: 12_500 },
    ...{ compliant: 9_800, providers: 812, probes30d: 21_600_000 },
    grades: { A: 1000, B: 4000, C: 5000, D: 3000, F: 1500, '?': 500 },
    recommendations: {
      ...{ proceed: 4000, caution: 7000, parameterize: 500, avoid: 2000, unverified: 200, free: 300 },
    },
    lastProbedAt: '2026-03-04T12:34:56.000Z',
    ...{ settledVolumeUsd30d: '48210.415000', receivers30d: 288, payers30d: 3_914 },
    ...overrides,
  };
}
