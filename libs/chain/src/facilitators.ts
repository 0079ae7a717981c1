import { FACILITATOR_TABLE } from './facilitator-table.ts';

/** Hex addresses mean the same in any case; those of other networks do not. */
function keyOf(network: string, address: string): string {
  return `${network} ${network.startsWith('eip155:') ? address.toLowerCase() : address}`;
}

const byAddress = new Map(
  FACILITATOR_TABLE.flatMap(([facilitator, network, addresses]) =>
    addresses.map((address) => [keyOf(network, address), facilitator] as const),
  ),
);

/**
 * The facilitator that sends transactions from an address.
 *
 * @param network CAIP-2 id
 * @returns its id, or null for an address of nobody known
 */
export function findFacilitator(network: string, address: string): string | null {
  return byAddress.get(keyOf(network, address)) ?? null;
}
