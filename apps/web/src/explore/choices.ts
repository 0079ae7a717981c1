import { getNetworkName } from '@touchstone/x402/networks';

/** Value of a filter, with the number of listed endpoints that have it; null if the number is not known. */
export interface Choice {
  readonly value: string;
  readonly endpoints: number | null;
}

/** Values that the filters of the explore page offer. */
export interface Choices {
  readonly networks: readonly Choice[];
  readonly tags: readonly Choice[];
}

/** Maximum number of networks and of tags that the filters offer. */
const MAX_NETWORKS = 12;
const MAX_TAGS = 30;

/** Networks that the filters offer before the first statistics are recorded. */
const COMMON_NETWORKS = [
  'eip155:8453',
  'eip155:137',
  'eip155:42161',
  'eip155:43114',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
];

/** Numbers of listed endpoints by network and by tag. */
interface Counts {
  readonly networks: Readonly<Record<string, number>>;
  readonly tags: Readonly<Record<string, number>>;
}

/** Creates the choices from the newest statistics; undefined if there are none yet. */
export function createChoices(counts: Counts | undefined): Choices {
  if (counts === undefined)
    return { networks: COMMON_NETWORKS.map((value) => ({ value, endpoints: null })), tags: [] };
  return {
    // The groups `none` and `other` are not networks.
    networks: toChoices(counts.networks, MAX_NETWORKS + 2)
      .filter(({ value }) => value.includes(':'))
      .slice(0, MAX_NETWORKS),
    tags: toChoices(counts.tags, MAX_TAGS),
  };
}

/** Returns the name of a network for people, or its id. */
export function formatNetwork(id: string): string {
  return getNetworkName(id) ?? id;
}

/** Converts counts to choices, the most frequent value first. */
function toChoices(counts: Readonly<Record<string, number>>, limit: number): Choice[] {
  return Object.entries(counts)
    .map(([value, endpoints]) => ({ value, endpoints }))
    .filter(({ endpoints }) => endpoints > 0)
    .sort((one, other) => other.endpoints - one.endpoints || (one.value < other.value ? -1 : 1))
    .slice(0, limit);
}
