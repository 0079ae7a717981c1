import {
  isCounted,
  type JournalEntry,
  Ledger,
  type LedgerPayment,
  type PaymentEntry,
  type RefusalEntry,
} from '@touchstone/guard';

/**
 * State of a payment: `undelivered` was charged without a delivery; `open` has no delivery and no certain state on the
 * chain, or an unclear response; `not-charged` can no longer be settled; `refused` was never sent.
 */
export type ReceiptState = 'delivered' | 'undelivered' | 'open' | 'not-charged' | 'refused';

/** Payment or refusal of a journal. */
export interface Receipt {
  readonly state: ReceiptState;
  readonly host: string;
  readonly entry: PaymentEntry | RefusalEntry;
  /** Everything that the journal states about the payment; null for a refusal. */
  readonly payment: LedgerPayment | null;
}

/** Lists the payments and refusals of a journal, oldest first. */
export function listReceipts(entries: readonly JournalEntry[]): readonly Receipt[] {
  const ledger = new Ledger();
  for (const entry of entries) ledger.add(entry);
  return entries.flatMap((entry): Receipt[] => {
    if (entry.kind === 'refusal') {
      const host = URL.parse(entry.resource)?.hostname ?? '';
      return [{ entry, payment: null, host, state: 'refused' }];
    }
    const payment = entry.kind === 'payment' ? ledger.get(entry.id) : null;
    if (entry.kind !== 'payment' || payment === null) return [];
    return [{ entry, payment, host: payment.host, state: toState(payment) }];
  });
}

function toState(payment: LedgerPayment): ReceiptState {
  if (!isCounted(payment)) return 'not-charged';
  if (payment.deliveredAt !== null) return 'delivered';
  return payment.state === 'settled' && !payment.isUnclear ? 'undelivered' : 'open';
}
