import type { SimulatedEndpoint } from '../endpoints/simulated-endpoint.ts';
import { LOOPBACK } from '../http/loopback.ts';
import type { BehaviourKind } from '../scenario/scenario-schema.ts';
import { getStateAt } from '../scenario/timeline.ts';

/**
 * Name resolution of the simulated hosts at a simulated time. Probes resolve host names with this zone instead of DNS.
 */
export interface Zone {
  /** Parent domain of all simulated hosts. */
  readonly suffix: string;
  readonly address: string;
  readonly port: number;
  /** Host names that do not resolve at this time. */
  readonly unresolvable: readonly string[];
  /** Ports of the hosts that do not use `port` at this time, by host name. */
  readonly overrides: Readonly<Record<string, { readonly port: number }>>;
}

export interface ZonePorts {
  readonly tlsPort: number;
  readonly refusingPort: number;
}

function findHosts(kind: BehaviourKind, endpoints: readonly SimulatedEndpoint[], at: number): string[] {
  return endpoints
    .filter((endpoint) => getStateAt(endpoint.timeline, at).behaviour.kind === kind)
    .map((endpoint) => endpoint.host);
}

/** Creates the zone at the simulated time `at`, in milliseconds since 1970. */
export function createZone(endpoints: readonly SimulatedEndpoint[], at: number, ports: ZonePorts): Zone {
  return {
    suffix: 'sandbox.test',
    address: LOOPBACK,
    port: ports.tlsPort,
    unresolvable: findHosts('dns-gone', endpoints, at),
    overrides: Object.fromEntries(
      findHosts('dead', endpoints, at).map((host) => [host, { port: ports.refusingPort }] as const),
    ),
  };
}
