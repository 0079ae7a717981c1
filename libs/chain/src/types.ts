import type { ChainCursor } from '@touchstone/x402';

/** Query for settlements: the wallets whose transfers are read in both directions, and the start position on the chain. */
export interface SettlementQuery {
  /** CAIP-2 id. */
  readonly network: string;
  /** Addresses that receive payments. Burn addresses and texts that are not addresses of the network are ignored. */
  readonly wallets: readonly string[];
  /**
   * Cursor that the previous reading step returned; null to start at the first block whose time is `since` or later.
   */
  readonly cursor: ChainCursor | null;
  /** Start of the first step, in milliseconds since the epoch. */
  readonly since: number;
  /** Last block to read; by default the last confirmed block. */
  readonly until?: bigint;
  /**
   * Number of confirmations; by default the number for the network. Use 0 for a local chain that never replaces blocks.
   */
  readonly confirmations?: number;
  /** Maximum number of blocks in one step and in one `eth_getLogs` call; 9,000 by default. */
  readonly maxSpan?: number;
  /**
   * Maximum number of settlements in one step; by default 5,000 on EVM and 1,000 on Solana. A step reads at least one
   * whole block, even when the block contains more.
   */
  readonly maxRows?: number;
}
