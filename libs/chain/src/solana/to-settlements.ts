import { findFacilitator } from '../facilitators.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import type { Settlement } from '@touchstone/x402';
import type { Transaction } from './schemas.ts';

type Balance = NonNullable<Transaction['meta']['preTokenBalances']>[number];

/** By how much each token account of a mint has changed in a transaction. */
function changesOf(
  { meta }: Transaction,
  mint: string,
): Map<number, { owner: string | undefined; change: bigint }> {
  const changes = new Map<number, { owner: string | undefined; change: bigint }>();
  const add = (balances: readonly Balance[] | null | undefined, sign: bigint): void => {
    for (const { accountIndex, mint: of, owner, uiTokenAmount } of balances ?? []) {
      if (of !== mint) continue;
      const before = changes.get(accountIndex);
      const change = (before?.change ?? 0n) + sign * BigInt(uiTokenAmount.amount);
      changes.set(accountIndex, { owner: owner ?? before?.owner, change });
    }
  };
  add(meta.preTokenBalances, -1n);
  add(meta.postTokenBalances, 1n);
  return changes;
}

/** Whose tokens became fewer by the most; null where nobody's did, as when tokens are made. */
function payerOf(changes: ReturnType<typeof changesOf>): string | null {
  let payer: string | null = null;
  let least = 0n;
  for (const { owner, change } of changes.values()) {
    if (change >= least || owner === undefined) continue;
    least = change;
    payer = owner;
  }
  return payer;
}

export interface SolanaPlace {
  readonly network: string;
  readonly mint: string;
  /** Wallets by their token accounts. */
  readonly wallets: ReadonlyMap<string, string>;
}

/**
 * What a transaction paid into the token accounts of wallets, one row each: payments of one transaction into one account
 * are one. It is a settlement of x402 when a known facilitator paid the fee for somebody else: on Solana no log says so.
 */
export function toSettlements(
  transaction: Transaction,
  { network, mint, wallets }: SolanaPlace,
): Settlement[] {
  const { slot, blockTime } = transaction;
  const { accountKeys } = transaction.transaction.message;
  const [signature] = transaction.transaction.signatures;
  const feePayer = accountKeys[0]?.pubkey;
  if (signature === undefined || feePayer === undefined || blockTime === null) {
    throw new RpcFailure('unusable', 'answered a transaction without time, signature or fee payer');
  }
  const changes = changesOf(transaction, mint);
  const payer = payerOf(changes) ?? feePayer;
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
