import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createNetworkSeries, groupNetworks } from './history.tsx';

const networks = fc.dictionary(
  fc.constantFrom('eip155:8453', 'eip155:137', 'eip155:1', 'eip155:10', 'eip155:56', 'x', 'other', 'none'),
  fc.integer({ min: 0, max: 1000 }),
);

it('counts each endpoint in exactly one series of the networks', () => {
  fc.assert(
    fc.property(networks, networks, (latest, earlier) => {
      const series = createNetworkSeries(latest);
      const ids = series.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const grouped = groupNetworks(earlier, series);
      const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
      expect(sum(ids.map((id) => grouped[id] ?? 0))).toBe(sum(Object.values(earlier)));
    }),
  );
});

it('shows the most frequent networks by name', () => {
  const series = createNetworkSeries({ 'eip155:8453': 5, 'eip155:99999': 9, other: 50, none: 70 });
  expect(series.map(({ label }) => label)).toEqual([
    'EVM chain 99999',
    'Base',
    'Other networks',
    'No network known',
  ]);
});
