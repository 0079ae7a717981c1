import type { NetworkId } from '../networks/network-table.ts';

/** Public documents that state a fact. */
interface Sources {
  readonly sources: readonly string[];
  /** Day on which the documents were read, in the form YYYY-MM-DD. */
  readonly readOn: string;
}

/** Networks on which a facilitator settles payments, and its schemes on each of them, as it documents them. */
export interface FacilitatorSupport extends Sources {
  /** Scheme names by CAIP-2 id. Some networks may be absent from the network table. */
  readonly schemes: Readonly<Record<string, readonly string[]>>;
}

/**
 * Limit that sellers observed at a facilitator. Values between `accepted` and `refused` were not tested: no source says
 * what the facilitator does with them.
 */
export interface ObservedLimit extends Sources {
  /** Value nearest to the limit that was accepted. */
  readonly accepted: number;
  /** Value nearest to the limit that was refused. */
  readonly refused: number;
}

/** Limits within which a facilitator verifies payments. */
interface FacilitatorLimits {
  /** Length of `resource.description`, in characters. */
  readonly description: ObservedLimit;
  /** Amount of a payment with the scheme `exact`, in atomic units of the token. */
  readonly amount: ObservedLimit;
}

/** Documented or observed facts about a facilitator. */
interface FacilitatorFacts {
  /** Absent if no documentation of networks and schemes was read. */
  readonly support?: FacilitatorSupport | undefined;
  readonly limits?: FacilitatorLimits | undefined;
}

/** A service that verifies and settles payments for sellers. */
export interface Facilitator extends FacilitatorFacts {
  readonly name: string;
  /** URL of the documentation, or of the service if no documentation is known. */
  readonly documentation: string;
  readonly addresses: FacilitatorAddresses;
}

/**
 * Addresses from which a facilitator sends transactions, by network. White space separates the addresses. A network is
 * absent if no address is known there.
 */
type FacilitatorAddresses = Readonly<Partial<Record<NetworkId, string>>>;

/** Creates a row of the table of facilitators. */
export function createFacilitator(
  name: string,
  documentation: string,
  { support, limits, ...addresses }: FacilitatorAddresses & FacilitatorFacts,
): Facilitator {
  return { name, documentation, support, limits, addresses };
}
