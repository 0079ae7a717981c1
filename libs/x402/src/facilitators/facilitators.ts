import { findNetwork, isTestnet, normalizeAddress } from '../networks/networks.ts';
import type { Facilitator } from './facilitator-row.ts';
import { FACILITATORS, type FacilitatorId } from './facilitator-table.ts';

export const FACILITATOR_ROWS: readonly (readonly [id: FacilitatorId, facilitator: Facilitator])[] =
  // The cast is safe: `Object.entries` returns the keys of the table.
  Object.entries(FACILITATORS) as [FacilitatorId, Facilitator][];

/** Id for the sender of a payment who is neither in the table nor the payer. */
export const OTHER_FACILITATOR = 'other';

function toKey(network: string, address: string): string {
  return `${network} ${normalizeAddress(network, address)}`;
}

const idByAddress = new Map<string, FacilitatorId>(
  FACILITATOR_ROWS.flatMap(([id, facilitator]) =>
    Object.entries(facilitator.addresses).flatMap(([network, addresses]) =>
      addresses
        .trim()
        .split(/\s+/)
        .map((address) => [toKey(network, address), id] as const),
    ),
  ),
);

/**
 * Returns the id of the facilitator that sends transactions from the address; null for an unknown address.
 *
 * @param network CAIP-2 id
 */
export function findFacilitator(network: string, address: string): FacilitatorId | null {
  return idByAddress.get(toKey(network, address)) ?? null;
}

/**
 * Returns true if the facilitator documents that it settles payments on the network (CAIP-2 id).
 *
 * @param scheme only payments with this scheme; default: payments with any scheme
 */
export function settlesOn(id: FacilitatorId, network: string, scheme?: string): boolean {
  const schemes = new Map(Object.entries(FACILITATORS[id].support?.schemes ?? {})).get(network);
  return schemes !== undefined && (scheme === undefined || schemes.includes(scheme));
}

/** Returns true for the CAIP-2 id of a network on which the CDP facilitator settles payments. */
export function isCdpNetwork(caip2: string): boolean {
  return settlesOn('coinbase', caip2);
}

/** Lists the names of the main networks on which a facilitator settles payments. */
export function listMainNetworkNames(id: FacilitatorId): readonly string[] {
  const networks = Object.keys(FACILITATORS[id].support?.schemes ?? {});
  return networks
    .filter((network) => !isTestnet(network))
    .map((network) => findNetwork(network)?.name ?? network);
}
