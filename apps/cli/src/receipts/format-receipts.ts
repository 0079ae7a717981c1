import { formatCount, formatDecimal, formatMinute, parseDecimal } from '@touchstone/common';
import {
  joinSections,
  MAX_URL_CHARS,
  type TextStyle,
  toPlainJson,
  toPlainText,
  wrap,
  wrapAnywhere,
} from '../terminal/text.ts';
import type { LedgerPayment, SpendingSum } from '@touchstone/guard';
import type { Receipt, ReceiptState } from './list-receipts.ts';

const STATES = {
  delivered: { label: 'Delivered', color: 'green' },
  undelivered: { label: 'Paid, nothing delivered', color: 'red' },
  open: { label: 'Open', color: 'yellow' },
  'not-charged': { label: 'Not charged', color: 'dim' },
  refused: { label: 'Refused', color: 'red' },
} as const satisfies Record<ReceiptState, unknown>;

const INDENT = '  ';

/** Formats receipts for a terminal. The texts of a journal contain texts of sellers, which are untrusted. */
export function formatReceipts(receipts: readonly Receipt[], note: string | null, style: TextStyle): string {
  const notes = note === null ? [] : wrap(note, '', style.width);
  return joinSections([...receipts.map((receipt) => formatReceipt(receipt, style)), notes]);
}

function formatReceipt({ entry, state, payment }: Receipt, style: TextStyle): string[] {
  const { label, color } = STATES[state];
  const price = entry.amountUsd === null ? 'price unknown' : formatPrice(entry.amountUsd);
  const heading = [formatMinute(entry.at), price, style.paint(color, label)].join('  ');
  const status = payment === null || state === 'delivered' ? '' : formatStatus(payment);
  const reason = entry.reasons.find(({ action }) => action === 'abort')?.message ?? '';
  const details = [entry.kind === 'refusal' ? toPlainText(reason) : status].filter((text) => text !== '');
  return [
    heading,
    INDENT + style.paint('bold', toPlainText(`${entry.method} ${entry.resource}`, MAX_URL_CHARS)),
    ...details.flatMap((text) => wrapAnywhere(text, INDENT, style.width)),
    ...(payment?.transaction ? [INDENT + style.paint('dim', toPlainText(payment.transaction, 200))] : []),
  ];
}

function formatStatus({ httpStatus: status, isUnclear }: LedgerPayment): string {
  if (isUnclear) return 'It is not known if the response was a delivery.';
  return status === null ? 'No response with a status.' : `The response had status ${String(status)}.`;
}

/** Formats an amount in US dollars exactly, with at least two decimals: `$0.005`, `$1.20`. */
function formatPrice(amountUsd: string): string {
  const amount = parseDecimal(amountUsd);
  if (amount === null) return toPlainText(amountUsd, 100);
  const [whole = '', fraction = ''] = formatDecimal(amount).split('.');
  return `$${whole}.${fraction.padEnd(2, '0')}`;
}

/** Formats sums as a table. The last sum is the total. */
export function formatSums(sums: readonly SpendingSum[], { paint }: TextStyle): string {
  const rows = sums.map(({ name, payments, delivered, usd, unpriced }) => [
    toPlainText(name, 300),
    formatCount(payments, 'payment'),
    `${formatCount(delivered)} delivered`,
    `${formatPrice(usd)}${unpriced === 0 ? '' : ` and ${formatCount(unpriced, 'payment')} of unknown price`}`,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return `${[...lines.slice(0, -1), paint('bold', lines.at(-1) ?? '')].join('\n')}\n`;
}

/** Members of an exported receipt, in the order of the CSV columns. */
function toRecord({ entry, state, payment }: Receipt) {
  const { at, method, resource, scheme, network, asset, payTo, amount, amountUsd, action } = entry;
  const signed = entry.kind === 'payment' ? entry : null;
  return {
    ...{ at, state, method, resource, endpoint: signed?.endpoint ?? null, amountUsd, amount },
    ...{ signedUsd: signed?.signedUsd ?? null, signedAmount: signed?.signedAmount ?? null },
    ...{ scheme, network, asset, payTo, payer: signed?.payer ?? null, nonce: signed?.nonce ?? null },
    ...{ transaction: payment?.transaction ?? null, httpStatus: payment?.httpStatus ?? null },
    ...{ chainState: payment?.state ?? null, reported: payment?.isReported ?? false, action },
  };
}

/**
 * Formats receipts as a JSON array with the reasons and the challenges. The signed payment itself is left out, because
 * whoever has it can settle it.
 */
export function formatJsonExport(receipts: readonly Receipt[]): string {
  const records = receipts.map((receipt) => ({
    ...toRecord(receipt),
    reasons: receipt.entry.reasons,
    challenge: receipt.entry.kind === 'payment' ? receipt.entry.challenge : null,
  }));
  return `${toPlainJson(records)}\n`;
}

/** Formats receipts as CSV (RFC 4180) with a header. The reasons are the codes of the rules. */
export function formatCsvExport(receipts: readonly Receipt[]): string {
  const records = receipts.map((receipt) => ({
    ...toRecord(receipt),
    reasons: receipt.entry.reasons.map(({ code }) => code).join(' '),
  }));
  const columns = Object.keys(records[0] ?? {});
  const rows = records.map((record) => Object.values(record).map((value) => toCell(String(value ?? ''))));
  return [columns.map(toCell), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

/**
 * Formats a cell of CSV. Spreadsheets execute a cell that begins with `=`, `+`, `-` or `@`, also after spaces or control
 * characters, so such a cell begins with an apostrophe.
 */
function toCell(text: string): string {
  const plain = toPlainText(text, MAX_URL_CHARS);
  const inert = /^[=+\-@]/.test(plain) ? `'${plain}` : plain;
  return `"${inert.replaceAll('"', '""')}"`;
}
