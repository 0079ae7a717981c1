/** One transfer of USDC to or from a monitored wallet. */
export interface Settlement {
  /** Transaction hash; on Solana the transaction signature. */
  readonly transaction: string;
  /** Index of the log within its block; on Solana the index of the token account within the transaction. */
  readonly logIndex: number;
  /** Block number; on Solana the slot number. */
  readonly blockNumber: bigint;
  /** Block hash; null on Solana, where finalized slots are never replaced. */
  readonly blockHash: string | null;
  /** Time of the block, in milliseconds since the epoch. */
  readonly at: number;
  /** Address of the payer, in lower case on EVM networks. Equal to `payTo` when a wallet pays itself. */
  readonly payer: string;
  readonly payTo: string;
  readonly asset: string;
  /** Atomic units. */
  readonly amount: bigint;
  /**
   * `x402`: the payer signed the transfer and another account submitted it. `transfer`: any other transfer to a
   * monitored wallet. `sent`: any transfer from a monitored wallet, which is then the `payer`. A transfer between two
   * monitored wallets is two settlements.
   */
  readonly kind: 'x402' | 'transfer' | 'sent';
  /**
   * Id of the facilitator that sent the transaction; `other` for an unknown sender; null when the payer sent it, or the
   * sender was not read.
   */
  readonly facilitator: string | null;
}

/**
 * Number and hash of a block that was read. If the block with this number later has another hash, a reorg replaced it.
 */
export interface Anchor {
  readonly number: bigint;
  readonly hash: string;
}

/** Range of blocks in which the transfers to a set of wallets were read. */
export interface ChainCursor {
  /** First block of the range; 0 is the start of the chain. */
  readonly fromBlock: bigint;
  /** First block after the range, which is read next. */
  readonly nextBlock: bigint;
  /**
   * Blocks of the range whose hashes are kept to detect reorgs, in ascending order. Older anchors are farther apart.
   */
  readonly anchors: readonly Anchor[];
  /**
   * Number of blocks per RPC request. The number shrinks if an RPC provider rejects a range as too large. It grows
   * again with later requests.
   */
  readonly span: number;
}

/** Result of reading one range of blocks. */
export interface SettlementStep {
  /** Transfers to and from the wallets in the range, without duplicates. */
  readonly settlements: readonly Settlement[];
  readonly cursor: ChainCursor;
  /**
   * Wallets that received or sent too many transfers other than x402 payments in the range. `settlements` contains no
   * transfer to or from these wallets, so their payments are not measured.
   */
  readonly tooBusy?: readonly string[];
  /** Number and time (milliseconds since the epoch) of the last block that was read; null if no block was read. */
  readonly through: { readonly block: bigint; readonly at: number } | null;
  /** True when every confirmed block was read. */
  readonly caughtUp: boolean;
  /**
   * First block that a reorg replaced; null when there was no reorg. All settlements from this block onwards are
   * invalid.
   */
  readonly removedFrom: bigint | null;
}
