import { plain } from '../plain.ts';
import type { Bought } from './purchase.ts';
import { usdWords } from './usd.ts';

/** What was paid for something, in one line. */
export function receiptLine({ payment, receipt }: Bought): string {
  if (payment === null) return 'Paid nothing: the service did not ask for it.';
  const { amount, payer, payTo, network } = payment;
  const paid = `Paid ${usdWords(BigInt(amount))} by ${payer} to ${payTo} on ${network}`;
  if (receipt === null) return `${paid}; the service does not say in which transaction.`;
  return `${paid}, transaction ${plain(receipt.transaction, 100)}`;
}
