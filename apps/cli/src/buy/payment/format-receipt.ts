import { toPlainText } from '../../terminal/plain-text.ts';
import type { Purchase } from '../purchase.ts';
import { formatUsdc } from '../quote/usdc-amount.ts';

/** Formats the payment of a purchase in one line. */
export function formatReceipt({ payment, receipt }: Purchase): string {
  if (payment === null) return 'Paid nothing: the service required no payment.';
  const { amount, payer, payTo, network } = payment;
  const paid = `Paid ${formatUsdc(BigInt(amount))} from ${payer} to ${payTo} on ${network}`;
  if (receipt === null) return `${paid}. The service sent no transaction.`;
  return `${paid}, transaction ${toPlainText(receipt.transaction, 100)}`;
}
