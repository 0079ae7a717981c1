import { describe, expect, it } from 'vitest';
import { createChoices, formatNetwork } from './choices.ts';

describe('createChoices', () => {
  it('offers the most frequent networks and tags first, without groups of networks', () => {
    expect(
      createChoices({
        networks: { none: 50, 'eip155:137': 3, other: 9, 'eip155:8453': 20, 'eip155:1': 0 },
        tags: { b: 2, a: 2, c: 7 },
      }),
    ).toEqual({
      networks: ['eip155:8453', 'eip155:137'],
      tags: ['c', 'a', 'b'],
    });
  });

  it('offers a limited number of networks', () => {
    const networks = Object.fromEntries(Array.from({ length: 30 }, (_, id) => [`eip155:${id}`, id + 1]));
    expect(createChoices({ networks, tags: {} }).networks).toHaveLength(12);
  });

  it('offers common networks before the first statistics, each with a name', () => {
    const { networks, tags } = createChoices(undefined);
    expect(networks.map(formatNetwork)).toEqual(['Base', 'Polygon', 'Arbitrum One', 'Avalanche', 'Solana']);
    expect(tags).toEqual([]);
  });
});
