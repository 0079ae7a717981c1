import type { ChainCursor } from '@touchstone/x402';

/** Which wallets are read, and from where. */
export interface SettlementQuery {
  /** CAIP-2 id. */
  readonly network: string;
  /** The payTo addresses; what is no address of the network, and addresses that burn, are passed over. */
  readonly wallets: readonly string[];
  /** Where the last step ended; null to begin at the first block whose time is `since` or later. */
  readonly cursor: ChainCursor | null;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Last block to read, where that is not the head. */
  readonly until?: bigint;
  /** Overrides the confirmations of the network: 0 for a chain of one's own that replaces no blocks. */
  readonly confirmations?: number;
  /** Upper bounds of a step: blocks asked for at once (9,000), and settlements returned, as far as a block allows (5,000). */
  readonly maxSpan?: number;
  readonly maxRows?: number;
  /**
   * Whose sender is looked up: nobody's, that of transfers without an authorization (by which a facilitator that pulls
   * with permit2 is known), or everybody's (by which each settlement's facilitator is named). `plain` as a rule.
   */
  readonly senderLookup?: 'none' | 'plain' | 'all';
}
