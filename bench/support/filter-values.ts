import { START_MS } from './catalog.ts';
import type { SeededRandom } from '../../libs/x402/src/testing/seeded-random.ts';

/** Values by which the explore page filters and sorts endpoints. */
export interface FilterValues {
  readonly tags: readonly string[];
  /** CAIP-2 ids of the networks, the main network first. */
  readonly networks: readonly string[];
  readonly priceUsd: string;
  readonly uptime: number;
  readonly latencyMs: number;
  readonly isReachable: boolean;
  readonly isCompliant: boolean;
  /** Time of the first listing, in ISO 8601. */
  readonly firstSeen: string;
}

/** Tags of many endpoints, with their shares. */
const FREQUENT_TAGS = [
  ['ai', 0.4],
  ['data', 0.3],
  ['x402', 0.5],
  ['agents', 0.2],
  ['beta', 0.01],
] as const;
const BASE_NETWORK = 'eip155:8453';
const OTHER_NETWORKS = [
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'eip155:137',
  'eip155:43114',
  'eip155:84532',
  'eip155:99999',
] as const;

/** Generates filter values of an endpoint whose purpose has the path, and whose provider has the name. */
export function generateFilterValues(random: SeededRandom, path: string, name: string): FilterValues {
  const tags = new Set([
    ...path.split('/'),
    ...FREQUENT_TAGS.filter(([, share]) => random.next() < share).map(([tag]) => tag),
    ...(random.next() < 0.3 ? [name.toLowerCase()] : []),
  ]);
  const main = random.next() < 0.8 ? BASE_NETWORK : random.pick(OTHER_NETWORKS);
  return {
    tags: [...tags],
    networks: random.next() < 0.2 ? [...new Set([main, random.pick(OTHER_NETWORKS)])] : [main],
    priceUsd: (random.pick([1, 2, 3, 5, 7]) * 10 ** -random.pick([0, 1, 2, 2, 3, 3])).toFixed(6),
    uptime: Math.round((100 - 40 * random.next() ** 6) * 100) / 100,
    latencyMs: Math.round(50 + 4_000 * random.next() ** 4),
    isReachable: random.next() < 0.88,
    isCompliant: random.next() < 0.8,
    firstSeen: new Date(START_MS - Math.floor(random.next() * 300 * 86_400) * 1_000).toISOString(),
  };
}
