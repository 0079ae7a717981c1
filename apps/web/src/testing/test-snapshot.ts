import type { ListedSnapshot } from '@touchstone/store';

/** Creates a snapshot of a graded and listed endpoint for tests. The overrides replace single properties. */
export function createTestSnapshot(overrides: Partial<ListedSnapshot> = {}): ListedSnapshot {
  return {
    ...{ endpointId: 'abcdefgh27', slug: 'api-example-com-weather-abcdefgh27', host: 'api.example.com' },
    ...{ resource: 'https://api.example.com/weather', method: 'GET', serviceName: 'Weather' },
    ...{ description: 'The weather anywhere.', templated: false, protocolVersion: 2 },
    ...{ score: 87.4, scoreLow: 85.1, scoreHigh: 88.9, grade: 'A', confidence: 0.87 },
    recommendation: 'proceed',
    ...{ uptime30d: 99.9, latencyMs: 318, latencyLabel: 'fast', probes30d: 1440, probedPerDay: 47.6 },
    ...{ latencyMsP50: 290, latencyMsP95: 612, exampleRequest: null },
    ...{ scoredProbes30d: 1440, blocked30d: 0, blockedSince: null, uptimeDays: [null, 100, 97.9] },
    ...{ duePerDay: 48, meanGapSeconds: 1815, amountUsd: '0.005000', priceStability: 'stable' },
    ...{ lowestPriceUsd30d: '0.005000', highestPriceUsd30d: '0.005000', network: 'eip155:8453' },
    payOn: [
      {
        ...{ scheme: 'exact', network: 'eip155:8453', assetSymbol: 'USDC', decimals: 6, amount: '5000' },
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        ...{ amountUsd: '0.005000', payTo: '0x1111111111111111111111111111111111112222' },
      },
    ],
    ...{ firstSeen: '2026-01-02T03:04:05.000Z', lastProbedAt: '2026-03-04T12:00:00.000Z', daysTracked: 61 },
    ...{ listingStatus: 'listed', listingSource: 'directory', delistedAt: null },
    ...{ directories: ['cdp', 'payai'], failingSince: null, lastFailure: null, isCompliant: true },
    delivery: null,
    ...{ computedAt: '2026-03-04T12:34:56.000Z', contentChangedAt: '2026-03-03T00:00:00.000Z' },
    ...{ errorFlags: 0, warningFlags: 2, betterAlternatives: 3 },
    ...overrides,
  };
}
