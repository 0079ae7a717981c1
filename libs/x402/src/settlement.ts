/** One transfer of USDC to a monitored wallet. */
export interface Settlement {
  /** Transaction hash; on Solana the signature. */
  readonly transaction: string;
  /** Index of the log within its block; on Solana the index of the token account within the transaction. */
  readonly logIndex: number;
  /** Block number; on Solana the slot. */
  readonly blockNumber: bigint;
  /** Null on Solana, where finalized slots are never replaced. */
  readonly blockHash: string | null;
  /** Time of the block, in milliseconds since the epoch. */
  readonly at: number;
  /** EVM addresses are in lower case. Equal to `payTo` when a wallet pays itself. */
  readonly payer: string;
  readonly payTo: string;
  readonly asset: string;
  /** Atomic units. */
  readonly amount: bigint;
  /** `x402`: the payer signed the transfer and another account sent it. `transfer`: any other transfer. */
  readonly kind: 'x402' | 'transfer';
  /** Id of the facilitator that sent the transaction; null when the sender was not looked up or is unknown. */
  readonly facilitator: string | null;
}

/** A block that was read. A different hash at its number reveals a reorg later. */
export interface Anchor {
  readonly number: bigint;
  readonly hash: string;
}

/** Read position for a set of wallets. */
export interface ChainCursor {
  /** First block that was read for these wallets; 0 is the start of the chain. */
  readonly fromBlock: bigint;
  /** First block that was not read. */
  readonly nextBlock: bigint;
  /** Blocks before `nextBlock` in ascending order. They are close together near `nextBlock`, and sparse before. */
  readonly anchors: readonly Anchor[];
  /** Number of blocks per request. It shrinks when a provider refuses a range, and grows again later. */
  readonly span: number;
}

/** Result of one read step. */
export interface SettlementStep {
  /** Every transfer to the wallets in the blocks between the two cursors, each once. */
  readonly settlements: readonly Settlement[];
  readonly cursor: ChainCursor;
  /** Wallets with too many plain transfers to read. They have no settlements in this step and are not measured. */
  readonly tooBusy?: readonly string[];
  /** Last block that was read, and its time in milliseconds since the epoch; null when this step read none. */
  readonly through: { readonly block: bigint; readonly at: number } | null;
  /** True when no confirmed block is left to read. */
  readonly caughtUp: boolean;
  /** First block that a reorg replaced: everything read from there on is invalid. Usually null. */
  readonly removedFrom: bigint | null;
}
