import { describe, expect, it } from 'vitest';
import { leaderboardSchema, statsSchema } from '@touchstone/contract';
import type { Snapshot } from '@touchstone/store';
import { EXAMPLE_SNAPSHOT } from '../testing/example-snapshot.ts';
import { toLeaderboard, toStats } from './public-responses.ts';

const generatedAt = Date.parse('2026-11-01T12:00:00Z');
const options = { baseUrl: 'https://touchstone.example', generatedAt };

const snapshot = (change: Partial<Snapshot> = {}): Snapshot => ({ ...EXAMPLE_SNAPSHOT, ...change });

describe('toLeaderboard', () => {
  it('ranks endpoints in their order, valid by its schema', () => {
    const result = toLeaderboard([snapshot(), snapshot({ score: 80, uptime30d: null })], options);
    expect(leaderboardSchema.parse(result)).toEqual(result);
    expect(result).toMatchObject({ generatedAt: '2026-11-01T12:00:00.000Z', count: 2 });
    expect(result.endpoints[0]).toEqual({
      rank: 1,
      resource: 'https://api.example.com/',
      serviceName: 'Skies',
      score: 91.5,
      scoreLow: 89.2,
      grade: 'A',
      recommendation: 'proceed',
      confidence: 0.97,
      uptime30d: 99.9,
      amountUsd: '0.010000',
      network: 'eip155:8453',
      endpointPage: 'https://touchstone.example/endpoint/api-example-com-aaaaaaaaaa',
    });
    expect(result.endpoints[1]).toMatchObject({ rank: 2, score: 80, uptime30d: null });
  });

  it.each([
    ['is not graded', { grade: '?' }],
    ['is no longer listed', { listingStatus: 'delisted' }],
    ['no directory has listed', { listingSource: 'adopted' }],
    ['has a low confidence', { confidence: 0.49 }],
    ['has an error flag', { errorFlags: 1 }],
  ] as const)('leaves out an endpoint that %s', (_, change) => {
    const result = toLeaderboard([snapshot(change), snapshot({ confidence: 0.5 })], options);
    expect(result.endpoints).toMatchObject([{ rank: 1, confidence: 0.5 }]);
  });

  it('has at most 25 entries', () => {
    const result = toLeaderboard(
      Array.from({ length: 40 }, () => snapshot()),
      options,
    );
    expect(result.count).toBe(25);
    expect(result.endpoints.at(-1)?.rank).toBe(25);
  });

  it('shows provider texts as plain text, and omits invalid amounts', () => {
    const result = toLeaderboard(
      [snapshot({ serviceName: `a\u202e\u0000${'x'.repeat(500)}`, amountUsd: 'free', network: null })],
      options,
    );
    expect(leaderboardSchema.parse(result)).toEqual(result);
    expect(result.endpoints[0]?.serviceName).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(result.endpoints[0]).toMatchObject({ amountUsd: null, network: null });
  });
});

describe('toStats', () => {
  it('returns the figures of the public store, and shares of listed endpoints', () => {
    const ecosystem = {
      endpoints: 5,
      listed: 3,
      delisted: 1,
      adopted: 1,
      reachable: 2,
      compliant: 1,
      providers: 2,
      probes30d: 144,
      grades: { A: 1, B: 0, C: 0, D: 0, F: 1, '?': 1 },
      recommendations: { proceed: 1, caution: 0, parameterize: 0, avoid: 1, unverified: 1, free: 0 },
      lastProbedAt: '2026-11-01T11:58:00.000Z',
      ...{ settledVolumeUsd30d: '12.500000', receivers30d: 2, payers30d: 3 },
    };
    const result = toStats(ecosystem, options);
    expect(statsSchema.parse(result)).toEqual({
      generatedAt: '2026-11-01T12:00:00.000Z',
      ...ecosystem,
      reachableShare: 0.667,
      compliantShare: 0.333,
    });
    expect(toStats({ ...ecosystem, lastProbedAt: null }, options)).toMatchObject({ reachableShare: null });
  });
});
