import type { NetworkId } from '../networks/network-table.ts';

/** A public document, and the day on which its facts were read. */
interface Source {
  readonly url: string;
  /** Day in the form YYYY-MM-DD. */
  readonly readOn: string;
}

/** Networks on which a facilitator settles payments, and its schemes on each of them, as it documents them. */
export interface FacilitatorSupport {
  /** Scheme names by CAIP-2 id. Some networks may be absent from the network table. */
  readonly schemes: Readonly<Record<string, readonly string[]>>;
  readonly sources: readonly Source[];
}

/**
 * Observed limit of a facilitator. Values between `accepted` and `refused` were not tested: no source says what the
 * facilitator does with them.
 */
export interface ObservedLimit<T> {
  /** Value nearest to the limit that was accepted. */
  readonly accepted: T;
  /** Value nearest to the limit that was refused. */
  readonly refused: T;
  /**
   * True if the seller's server can change the value before it asks the facilitator. A challenge beyond such a limit
   * then proves no failed payment.
   */
  readonly isAvoidable: boolean;
  readonly sources: readonly Source[];
}

/** Limits within which a facilitator verifies payments. */
export interface FacilitatorLimits {
  /** Length of `resource.description`, in characters. */
  readonly description?: ObservedLimit<number>;
  /** Amount of a payment with the scheme `exact`, in atomic units of the token. */
  readonly amount?: ObservedLimit<bigint>;
}

/** A service that verifies and settles payments for sellers. */
export interface Facilitator {
  readonly name: string;
  /** URL of the documentation, or of the service if no documentation is known. */
  readonly documentation: string;
  /** Absent if no documentation of networks and schemes was read. */
  readonly support?: FacilitatorSupport;
  readonly limits?: FacilitatorLimits;
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
  addresses: FacilitatorAddresses,
): Facilitator {
  return { name, documentation, addresses };
}
