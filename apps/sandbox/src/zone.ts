import { LOOPBACK } from './loopback.ts';
import type { Resident } from './resident.ts';
import type { BehaviourKind } from './scenario-schema.ts';
import { stateAt } from './timeline.ts';

/** How the names of the world resolve at one moment; a resolver outside follows it instead of asking DNS. */
export interface Zone {
  /** Every name below it is the world's. */
  readonly suffix: string;
  readonly address: string;
  readonly port: number;
  /** Names that do not resolve now. */
  readonly unresolvable: readonly string[];
  /** Names that lead to another port than `port` now. */
  readonly overrides: Readonly<Record<string, { readonly port: number }>>;
}

export interface ZonePorts {
  readonly tlsPort: number;
  readonly refusingPort: number;
}

const hostsThatAre = (kind: BehaviourKind, residents: readonly Resident[], at: number): string[] =>
  residents
    .filter((resident) => stateAt(resident.timeline, at).behaviour.kind === kind)
    .map((resident) => resident.host);

/** The zone at a world time, in milliseconds since 1970. */
export const zoneAt = (residents: readonly Resident[], at: number, ports: ZonePorts): Zone => ({
  suffix: 'sandbox.test',
  address: LOOPBACK,
  port: ports.tlsPort,
  unresolvable: hostsThatAre('dns-gone', residents, at),
  overrides: Object.fromEntries(
    hostsThatAre('dead', residents, at).map((host) => [host, { port: ports.refusingPort }] as const),
  ),
});
