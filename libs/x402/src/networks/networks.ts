import { NETWORKS, type Network } from './network-table.ts';

// Maps instead of objects: a network named "__proto__" or "constructor" must not find a member of the prototype.
const byId = new Map<string, Network>(Object.entries(NETWORKS));
const idByV1Name = new Map(
  [...byId].flatMap(([id, { v1Name }]) => (v1Name === undefined ? [] : [[v1Name, id] as const])),
);

/** Returns the properties of a network; null for a CAIP-2 id that is not in the network table. */
export function findNetwork(caip2: string): Network | null {
  return byId.get(caip2) ?? null;
}

/** Returns the name of a network for people; null when the network table has no name for this CAIP-2 id. */
export function getNetworkName(caip2: string): string | null {
  return byId.get(caip2)?.name ?? null;
}

/**
 * Converts a version 1 network name to a CAIP-2 id.
 *
 * @param network a version 1 name in any case, or other text
 * @returns CAIP-2 id for a known name; other text unchanged
 */
export function toCaip2(network: string): string {
  return idByV1Name.get(network.toLowerCase()) ?? network;
}

/** Returns true for a version 1 network name in lower case. */
export function isV1Name(network: string): boolean {
  return idByV1Name.has(network);
}

/** Returns true for a network name that the last version 1 client accepts. */
export function isInV1Client(network: string): boolean {
  const id = idByV1Name.get(network);
  return id !== undefined && byId.get(id)?.isInV1Client === true;
}

/** Returns true for the CAIP-2 id of a network with a version 1 name. */
export function hasV1Name(caip2: string): boolean {
  return byId.get(caip2)?.v1Name !== undefined;
}

/** Returns true for the CAIP-2 id of a test network; false for an unknown network. */
export function isTestnet(caip2: string): boolean {
  return byId.get(caip2)?.isTestnet === true;
}

/** Returns true for the CAIP-2 id of a network on which the CDP facilitator settles payments. */
export function isCdpNetwork(caip2: string): boolean {
  return byId.get(caip2)?.isSettledByCdp === true;
}
