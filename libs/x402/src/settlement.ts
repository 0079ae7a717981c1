/** One transfer of USDC to a watched wallet. */
export interface Settlement {
  /** Transaction hash, or signature on Solana. */
  readonly transaction: string;
  /** Place of the log within its block; on Solana the index of the token account within the transaction. */
  readonly logIndex: number;
  /** Block number, or slot on Solana. */
  readonly blockNumber: bigint;
  /** Null on Solana, whose finalized slots are not replaced. */
  readonly blockHash: string | null;
  /** Time of the block, milliseconds since the epoch. */
  readonly at: number;
  /** Addresses are in lower case on EVM. The payer is the payTo itself where a wallet pays itself. */
  readonly payer: string;
  readonly payTo: string;
  readonly asset: string;
  /** Atomic units. */
  readonly amount: bigint;
  /** `x402`: the payer signed it and somebody else sent it; `transfer`: any other transfer. */
  readonly kind: 'x402' | 'transfer';
  /** Id of the facilitator that sent it, where the sender was looked up and is known. */
  readonly facilitator: string | null;
}

/** A block that was read, by which a re-org is noticed later. */
export interface Anchor {
  readonly number: bigint;
  readonly hash: string;
}

/** How far a set of wallets was read. */
export interface ChainCursor {
  /** First block that was read for these wallets; 0 is the beginning of the chain. */
  readonly fromBlock: bigint;
  /** First block that was not read. */
  readonly nextBlock: bigint;
  /** Blocks before `nextBlock`, ascending, close together at its end and far apart before. */
  readonly anchors: readonly Anchor[];
  /** How many blocks are asked for at once; it shrinks when a provider refuses and grows again. */
  readonly span: number;
}

/** What one step of reading found. */
export interface SettlementStep {
  /** Every transfer to the wallets in the blocks from the cursor given to the cursor returned, each once. */
  readonly settlements: readonly Settlement[];
  readonly cursor: ChainCursor;
  /** Wallets that get more plain transfers than are read: nothing of them is in it, and they are not measured. */
  readonly tooBusy?: readonly string[];
  /** Last block that was read and its time in milliseconds; null when this step read none. */
  readonly through: { readonly block: bigint; readonly at: number } | null;
  /** Nothing is left to read that is confirmed. */
  readonly caughtUp: boolean;
  /** A re-org replaced this block and all after it: what was read of them is void. Null as a rule. */
  readonly removedFrom: bigint | null;
}
