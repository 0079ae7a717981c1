import { getNetworkName, listCommonNetworks } from '@touchstone/x402/networks';

/**
 * Values that the filters of the explore page offer, the most frequent first. The numbers of endpoints are not shown: a
 * filter can find more endpoints than the statistics count, and the statistics can be an hour old.
 */
export interface Choices {
  readonly networks: readonly string[];
  readonly tags: readonly string[];
}

/** Maximum number of networks and of tags that the filters offer. */
const MAX_NETWORKS = 12;
const MAX_TAGS = 30;

/** Numbers of endpoints by network and by tag. */
interface Counts {
  readonly networks: Readonly<Record<string, number>>;
  readonly tags: Readonly<Record<string, number>>;
}

/**
 * Creates the choices from the newest statistics. Without statistics, the choices are the common networks and no tags.
 */
export function createChoices(counts: Counts | undefined): Choices {
  if (counts === undefined) return { networks: listCommonNetworks(), tags: [] };
  return {
    // The keys `none` and `other` are not networks.
    networks: sortByCount(counts.networks)
      .filter((id) => id.includes(':'))
      .slice(0, MAX_NETWORKS),
    tags: sortByCount(counts.tags).slice(0, MAX_TAGS),
  };
}

/** Returns the name of a network, or the id of a network without a known name. */
export function formatNetwork(id: string): string {
  return getNetworkName(id) ?? id;
}

/** Returns the values that at least one endpoint has, the most frequent value first. */
function sortByCount(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts)
    .filter(([, endpoints]) => endpoints > 0)
    .sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
    .map(([value]) => value);
}
