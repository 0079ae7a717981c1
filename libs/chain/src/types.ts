import type { ChainCursor } from '@touchstone/x402';

/** Wallets to read, and the place on the chain to continue from. */
export interface SettlementQuery {
  /** CAIP-2 id. */
  readonly network: string;
  /** The payTo addresses. Texts that are not addresses of the network, and burn addresses, are ignored. */
  readonly wallets: readonly string[];
  /** End of the previous step; null to start at the first block whose time is `since` or later. */
  readonly cursor: ChainCursor | null;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Last block to read; by default the last confirmed block. */
  readonly until?: bigint;
  /** Replaces the network's number of confirmations: 0 for a local chain that never replaces blocks. */
  readonly confirmations?: number;
  /** Maximum number of blocks in one step and in one `eth_getLogs` call; 9,000 by default. */
  readonly maxSpan?: number;
  /** Maximum number of settlements in one step; by default 5,000 on EVM and 1,000 on Solana. One block may exceed it. */
  readonly maxRows?: number;
  /**
   * Transfers whose transaction sender is looked up, to name the facilitator; `plain` by default.
   *
   * - `none`: no transfers.
   * - `plain`: transfers without an authorization. A facilitator that uses permit2 is known by its sender address only.
   * - `all`: all transfers.
   */
  readonly senderLookup?: 'none' | 'plain' | 'all';
}
