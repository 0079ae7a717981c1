import { formatUsd } from '@touchstone/common';
import { PAYMENT_STATES } from '@touchstone/contract/operations/payment-status/response';
import { z } from 'zod';
import { formatRows, joinSections, type Row, type TextStyle, toPlainText, wrap } from '../terminal/text.ts';

/** Members that the command reads. Other members are ignored: later versions of the service may add some. */
const statusSchema = z.looseObject({
  requested: z.looseObject({
    network: z.string(),
    asset: z.string(),
    transaction: z.string().nullable(),
    payer: z.string().nullable(),
    nonce: z.string().nullable(),
    validBefore: z.string().nullable(),
  }),
  state: z.enum(PAYMENT_STATES),
  block: z.number().nullable(),
  blockTime: z.string().nullable(),
  confirmations: z.number().nullable(),
  payments: z.array(
    z.looseObject({
      transaction: z.string(),
      payTo: z.string(),
      payer: z.string(),
      amountUsd: z.string().regex(/^\d{1,80}\.\d{6}$/),
      endpoints: z.array(z.looseObject({ resource: z.string() })),
    }),
  ),
  safeToPayAgain: z.boolean(),
  reason: z.string(),
});

/** State of a payment, as the service sent it. */
export type TracedStatus = z.infer<typeof statusSchema>;

/** Reads the state of a payment. Returns null for another document, and for a state that contradicts itself. */
export function readStatus(document: unknown): TracedStatus | null {
  const { data } = statusSchema.safeParse(document);
  if (data === undefined) return null;
  const isOver = data.state === 'expired' || data.state === 'cancelled';
  return data.safeToPayAgain && (!isOver || data.payments.length > 0) ? null : data;
}

const HEADINGS: Readonly<Record<TracedStatus['state'], string>> = {
  settled: 'Paid',
  open: 'Not charged yet',
  expired: 'Not charged: the payment expired',
  cancelled: 'Not charged: the payment was cancelled',
  unknown: 'Unknown',
};

/** Formats what happened to the money, if it is safe to pay again, and why. */
export function formatStatus(status: TracedStatus, style: TextStyle): string {
  const { state, safeToPayAgain, reason, payments } = status;
  const { paint, width } = style;
  const verdict = safeToPayAgain ? paint('green', 'Safe to pay again') : paint('red', 'Do not pay again');
  return joinSections([
    [`${paint('bold', HEADINGS[state])}. ${verdict}.`],
    wrap(toPlainText(reason, 2_000), '', width),
    ...payments.map((payment) => formatRows(listRows(payment), style)),
    formatRows(listBlock(status), style),
  ]);
}

function listRows(payment: TracedStatus['payments'][number]): readonly Row[] {
  const { amountUsd, payTo, payer, transaction, endpoints } = payment;
  return [
    ['Amount', formatUsd(amountUsd)],
    ['Payer', toPlainText(payer)],
    ['Paid to', toPlainText(payTo)],
    ['Hash', toPlainText(transaction)],
    ...endpoints.map(({ resource }): Row => ['Asked by', toPlainText(resource)]),
  ];
}

function listBlock({ block, blockTime, confirmations }: TracedStatus): readonly Row[] {
  if (block === null) return [];
  const details = `${toPlainText(blockTime ?? '')}, ${String(confirmations ?? 0)} confirmations`;
  return [['Block', `${String(block)} (${details})`]];
}
