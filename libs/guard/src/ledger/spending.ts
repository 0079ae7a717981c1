import { formatDay, formatDecimal } from '@touchstone/common';
import { type Journal, readParts } from './journal.ts';
import { isCounted, Ledger, type LedgerPayment } from './ledger.ts';
import { sumUsd } from './limits.ts';

/** Sum of payments. Payments that expired or were cancelled on the chain are left out, as in the budgets. */
export interface SpendingSum {
  /** Host name, recipient, or UTC day `YYYY-MM-DD`. */
  readonly name: string;
  readonly payments: number;
  /** Number of these payments with a delivery. */
  readonly delivered: number;
  /** Sum of the amounts that were signed, in US dollars. */
  readonly usd: string;
  /** Number of these payments in a token of unknown price, which the sum leaves out. */
  readonly unpriced: number;
}

const NAMES = {
  host: ({ host }: LedgerPayment) => host,
  recipient: ({ recipient }: LedgerPayment) => recipient,
  day: ({ at }: LedgerPayment) => formatDay(at),
};

/** Sums payments by host, recipient or UTC day, in the order of the first payments. */
export function sumSpending(
  payments: Iterable<LedgerPayment>,
  by: keyof typeof NAMES,
): readonly SpendingSum[] {
  const groups = new Map<string, LedgerPayment[]>();
  for (const payment of payments) {
    const name = NAMES[by](payment);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [payment]);
    else group.push(payment);
  }
  return [...groups].flatMap(([name, group]) => {
    const sum = sumPayments(name, group);
    return sum.payments === 0 ? [] : [sum];
  });
}

/** Sums all payments under one name. */
export function sumPayments(name: string, payments: Iterable<LedgerPayment>): SpendingSum {
  const counted = [...payments].filter(isCounted);
  return {
    name,
    payments: counted.length,
    delivered: counted.filter(({ deliveredAt }) => deliveredAt !== null).length,
    usd: formatDecimal(sumUsd(counted)),
    unpriced: counted.filter(({ signedUsd }) => signedUsd === null).length,
  };
}

/** Sums of all payments of a journal. */
export interface Spending {
  /** Sum that `maxUsdTotal` limits, in US dollars. */
  readonly totalUsd: string;
  /** Payments of the last 24 hours, which the budgets of a day limit. */
  readonly lastDay: SpendingSum;
  readonly hosts: readonly SpendingSum[];
  readonly days: readonly SpendingSum[];
}

/**
 * Computes the sums of a journal.
 *
 * @param now time in milliseconds since 1970
 */
export async function readSpending(journal: Journal, now: number): Promise<Spending> {
  const ledger = new Ledger();
  for await (const { entries } of readParts(journal)) for (const entry of entries) ledger.add(entry);
  return {
    totalUsd: formatDecimal(ledger.totalUsd),
    lastDay: sumPayments('last 24 hours', ledger.listLastDay(now)),
    hosts: sumSpending(ledger.payments, 'host'),
    days: sumSpending(ledger.payments, 'day'),
  };
}
