import { NETWORKS, type Network } from './network-table.ts';

// Maps, not objects: a network named "__proto__" or "constructor" must stay unknown.
const byId = new Map<string, Network>(Object.entries(NETWORKS));
const idByV1Name = new Map(
  [...byId].flatMap(([id, { v1Name }]) => (v1Name === undefined ? [] : [[v1Name, id] as const])),
);

/** Returns the facts about a network; null for a CAIP-2 id outside the table. */
export function findNetwork(caip2: string): Network | null {
  return byId.get(caip2) ?? null;
}

/** Returns the name of a network that is shown to people; null when the table has none for this CAIP-2 id. */
export function getNetworkName(caip2: string): string | null {
  return byId.get(caip2)?.name ?? null;
}

/**
 * Converts a version 1 network name to a CAIP-2 id.
 *
 * @param network a version 1 name in any case, or any other text
 * @returns the CAIP-2 id of a known name; any other text unchanged
 */
export function toCaip2(network: string): string {
  return idByV1Name.get(network.toLowerCase()) ?? network;
}

/** Returns true for a version 1 network name in its exact spelling. */
export function isV1Name(network: string): boolean {
  return idByV1Name.has(network);
}

/** Returns true for a network name that the last version 1 client accepts. */
export function isInV1Client(network: string): boolean {
  const id = idByV1Name.get(network);
  return id !== undefined && byId.get(id)?.isInV1Client === true;
}

/** Returns true for a CAIP-2 id that has a version 1 name. */
export function hasV1Name(caip2: string): boolean {
  return byId.get(caip2)?.v1Name !== undefined;
}

/** Returns true for a CAIP-2 id of a test network; false for an unknown one. */
export function isTestnet(caip2: string): boolean {
  return byId.get(caip2)?.isTestnet === true;
}

/** Returns true for a CAIP-2 id on which the CDP facilitator settles payments. */
export function isCdpNetwork(caip2: string): boolean {
  return byId.get(caip2)?.isSettledByCdp === true;
}
