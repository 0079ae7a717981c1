import type { Provider } from '@touchstone/store';

/** Creates the figures of a provider with 120 endpoints for tests. The overrides replace single properties. */
export function createTestProvider(overrides: Partial<Provider> = {}): Provider {
  return {
    ...{ host: 'api.example.com', endpoints: 120, listed: 110, indexable: 100 },
    grades: { A: 40, B: 30, C: 20, D: 15, F: 10, '?': 5 },
    recommendations: { proceed: 60, caution: 40, parameterize: 0, avoid: 15, unverified: 5, free: 0 },
    days: [
      { day: '2026-03-02', scored: 200, up: 150 },
      { day: '2026-03-04', scored: 100, up: 100 },
    ],
    ...{ sampled: 120, uptime30d: 98.7, failing: 4, lowestPriceUsd: '0.001', highestPriceUsd: '0.25' },
    networks: ['eip155:8453', 'eip155:137'],
    firstSeen: '2026-01-02T03:04:05.000Z',
    computedAt: '2026-03-04T12:34:56.000Z',
    contentChangedAt: '2026-03-03T00:00:00.000Z',
    ...overrides,
  };
}
