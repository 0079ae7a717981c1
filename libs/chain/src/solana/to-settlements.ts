import type { Settlement } from '@touchstone/x402';
import { findFacilitator } from '../facilitators.ts';
import { RpcFailure } from '../rpc/provider.ts';
import type { Transaction } from './schemas.ts';

type Balance = NonNullable<Transaction['meta']['preTokenBalances']>[number];

interface BalanceChange {
  readonly owner: string | undefined;
  readonly change: bigint;
}

/**
 * Computes the balance changes that a transaction made in the token accounts of a mint. Keys are the account indexes
 * within the transaction.
 */
function computeChanges({ meta }: Transaction, mint: string): Map<number, BalanceChange> {
  const changes = new Map<number, BalanceChange>();
  const add = (balances: readonly Balance[] | null | undefined, sign: bigint): void => {
    for (const { accountIndex, mint: balanceMint, owner, uiTokenAmount } of balances ?? []) {
      if (balanceMint !== mint) continue;
      const before = changes.get(accountIndex);
      const change = (before?.change ?? 0n) + sign * BigInt(uiTokenAmount.amount);
      changes.set(accountIndex, { owner: owner ?? before?.owner, change });
    }
  };
  add(meta.preTokenBalances, -1n);
  add(meta.postTokenBalances, 1n);
  return changes;
}

/**
 * Finds the owner whose balance decreased most. Returns null when no balance decreased, for example for newly minted
 * tokens.
 */
function findPayer(changes: ReadonlyMap<number, BalanceChange>): string | null {
  let payer: string | null = null;
  let lowest = 0n;
  for (const { owner, change } of changes.values()) {
    if (change >= lowest || owner === undefined) continue;
    lowest = change;
    payer = owner;
  }
  return payer;
}

/** The network, the token (mint) and the wallets whose payments are read. */
export interface TokenPlace {
  readonly network: string;
  readonly mint: string;
  /** Map from token account to wallet. */
  readonly wallets: ReadonlyMap<string, string>;
}

/**
 * Returns the payments of a transaction to the wallets, one settlement for each receiving token account. Solana has no
 * authorization log, so a payment counts as x402 when a known facilitator paid the fee for another payer.
 */
export function toSettlements(
  transaction: Transaction,
  { network, mint, wallets }: TokenPlace,
): Settlement[] {
  const { slot, blockTime } = transaction;
  const { accountKeys } = transaction.transaction.message;
  const [signature] = transaction.transaction.signatures;
  const feePayer = accountKeys[0]?.pubkey;
  if (signature === undefined || feePayer === undefined || blockTime === null) {
    throw new RpcFailure('unusable', 'sent a transaction without time, signature or fee payer');
  }
  const changes = computeChanges(transaction, mint);
  const payer = findPayer(changes) ?? feePayer;
  const facilitator = feePayer === payer ? null : findFacilitator(network, feePayer);
  return [...changes].flatMap(([index, { change }]): Settlement[] => {
    const payTo = wallets.get(accountKeys[index]?.pubkey ?? '');
    if (payTo === undefined || change <= 0n) return [];
    return [
      {
        transaction: signature,
        logIndex: index,
        blockNumber: BigInt(slot),
        blockHash: null,
        at: blockTime * 1_000,
        payer,
        payTo,
        asset: mint,
        amount: change,
        kind: facilitator === null ? 'transfer' : 'x402',
        facilitator,
      },
    ];
  });
}
