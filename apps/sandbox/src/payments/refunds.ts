import type { Hex } from 'viem';
import type { JournalBlock } from '../chain/journal.ts';
import { transferCall } from '../chain/token-calls.ts';
import type { LedgerEntry } from './ledger.ts';

/** How sellers who trade with themselves get the money back to where it came from. */
export interface Refunds {
  readonly note: (entries: readonly LedgerEntry[]) => void;
  /** What is to be paid back at a world time, in milliseconds since 1970: all of it, once a day has passed. */
  readonly due: (at: number) => JournalBlock['unsigned'];
}

const DAY_MS = 86_400_000;

/** @param epoch the world's first moment, in milliseconds since 1970; its days are counted from it */
export const createRefunds = (epoch: number): Refunds => {
  const owed = new Map<string, { seller: Hex; wallet: Hex; value: bigint }>();
  let lastDay = 0;
  return {
    note: (entries) => {
      for (const { wash, payer, payTo, amount } of entries) {
        // What a seller pays to itself is where it came from already.
        if (!wash || payer.toLowerCase() === payTo.toLowerCase()) continue;
        const value = (owed.get(payTo + payer)?.value ?? 0n) + BigInt(amount);
        owed.set(payTo + payer, { seller: payTo, wallet: payer, value });
      }
    },
    due: (at) => {
      const day = Math.floor((at - epoch) / DAY_MS);
      if (day <= lastDay) return [];
      lastDay = day;
      const calls = [...owed.values()].map(({ seller, wallet, value }) =>
        transferCall(seller, wallet, value),
      );
      owed.clear();
      return calls;
    },
  };
};
