import { CHAIN_NETWORKS, type ChainNetwork } from '../chain/network.ts';
import type { SimulatedEndpoint } from '../endpoints/simulated-endpoint.ts';
import type { EndpointState } from '../scenario/timeline.ts';

/**
 * Returns the network on which agents pay an endpoint in the given state: the first network in the challenge that has a
 * chain. Returns null when no accepted network has a chain.
 */
export function getPaymentNetwork(endpoint: SimulatedEndpoint, state: EndpointState): ChainNetwork | null {
  for (const id of endpoint.listNetworks(state)) {
    const network = CHAIN_NETWORKS.find((each) => each.id === id);
    if (network) return network;
  }
  return null;
}

/** Selects the endpoints that agents pay on a network in at least one state. */
export function selectEndpointsPaidOn(
  endpoints: readonly SimulatedEndpoint[],
  network: ChainNetwork,
): SimulatedEndpoint[] {
  return endpoints.filter((endpoint) =>
    endpoint.timeline.some((state) => getPaymentNetwork(endpoint, state)?.id === network.id),
  );
}
