import { getNetworkName } from '@touchstone/x402/networks';

/** Value that a filter offers, with the number of endpoints that match if the filter has only this value. */
export interface Choice {
  readonly value: string;
  readonly endpoints: number;
}

/**
 * Lists the values of a filter, the most frequent first. Chosen values without an endpoint are added at the end, so that
 * the visitor can remove them.
 *
 * @param counts Numbers of endpoints by value.
 */
export function listChoices(
  counts: Readonly<Record<string, number>>,
  chosen: readonly string[],
): readonly Choice[] {
  const found = Object.entries(counts)
    .map(([value, endpoints]) => ({ value, endpoints }))
    .sort((one, other) => other.endpoints - one.endpoints || (one.value < other.value ? -1 : 1));
  const missing = chosen.filter((value) => !Object.hasOwn(counts, value));
  return [...found, ...missing.map((value) => ({ value, endpoints: 0 }))];
}

/** Returns the name of a network, or the id of a network without a known name. */
export function formatNetwork(id: string): string {
  return getNetworkName(id) ?? id;
}
