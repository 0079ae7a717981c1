import { DAY_MS } from '@touchstone/common';
import type { Hex } from 'viem';
import type { JournalBlock } from '../chain/journal.ts';
import type { ChainNetwork } from '../chain/network.ts';
import { createTransferCall } from '../chain/token-calls.ts';
import type { LedgerEntry } from './ledger.ts';

/** Refunds of wash trading on one network. The seller sends the payments back to the wallets that bought from the seller. */
export interface Refunds {
  /** Records settled payments. Wash payments are refunded later, except payments of a wallet to itself. */
  readonly record: (entries: readonly LedgerEntry[]) => void;
  /**
   * Returns and removes all open refunds if a new simulated day has begun since the last refunds. Otherwise returns an
   * empty list. `at` is the simulated time in milliseconds since 1970.
   */
  readonly takeDue: (at: number) => JournalBlock['unsigned'];
}

/** @param epoch start of the simulated time, in milliseconds since 1970; days count from it */
export function createRefunds(network: ChainNetwork, epoch: number): Refunds {
  const owed = new Map<string, { from: Hex; to: Hex; value: bigint }>();
  let lastDay = 0;
  return {
    record: (entries) => {
      for (const { wash, payer, payTo, amount } of entries) {
        // A payment of a wallet to itself needs no refund.
        if (!wash || payer.toLowerCase() === payTo.toLowerCase()) continue;
        const value = (owed.get(payTo + payer)?.value ?? 0n) + BigInt(amount);
        owed.set(payTo + payer, { from: payTo, to: payer, value });
      }
    },
    takeDue: (at) => {
      const day = Math.floor((at - epoch) / DAY_MS);
      if (day <= lastDay) return [];
      lastDay = day;
      const calls = [...owed.values()].map((transfer) => createTransferCall(network, transfer));
      owed.clear();
      return calls;
    },
  };
}
