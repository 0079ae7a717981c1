import type { Journal, Trace } from '@touchstone/guard';
import type { Receipt } from './list-receipts.ts';

/**
 * Asks for the state of each open payment, and appends the states to the journal. A payment in the state `expired` or
 * `cancelled` then no longer counts in the budgets.
 *
 * @returns the ids of the payments, and the number of payments whose state could not be read
 */
export async function traceReceipts(
  receipts: readonly Receipt[],
  { journal, trace, now }: { readonly journal: Journal; readonly trace: Trace; readonly now: () => number },
): Promise<{ readonly ids: ReadonlySet<string>; readonly unread: number }> {
  const open = receipts.flatMap(({ state, payment }) => (state === 'open' ? (payment ?? []) : []));
  let unread = 0;
  // One request after another, because the service limits the requests of a client.
  for (const payment of open) {
    const traced = await trace(payment);
    if (traced === null) unread += 1;
    else {
      const at = new Date(now()).toISOString();
      await journal.append([{ kind: 'status', at, id: payment.entry.id, ...traced }]);
    }
  }
  return { ids: new Set(open.map(({ entry }) => entry.id)), unread };
}
