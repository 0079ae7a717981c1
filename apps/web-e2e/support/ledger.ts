import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Payment of a sandbox agent, as recorded in the ledger. */
export interface Payment {
  readonly endpoint: string;
  readonly payer: string;
  readonly payTo: string;
  /** Atomic units as a decimal string. */
  readonly amount: string;
  /** Block time, ISO 8601. */
  readonly at: string;
}

/** Totals of the payments to a wallet, without self-payments. */
export interface PaymentTotals {
  readonly volume: bigint;
  readonly settlements: number;
  readonly payers: number;
  /** 0 to 1. */
  readonly topPayerShare: number;
}

const isSameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Reads the payments of the sandbox agents; null if the platform has no local chain. */
export function readLedger(): readonly Payment[] | null {
  const file = join(process.env['TOUCHSTONE_DATA_DIR'] ?? '', 'sandbox', 'ledger.jsonl');
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  // The sandbox wrote the file and validates it with its own schema.
  return lines.map((line) => JSON.parse(line) as Payment);
}

/** Selects the payments of others to a wallet, in the order of the ledger. */
export function filterPaymentsTo(ledger: readonly Payment[], payTo: string): Payment[] {
  return ledger.filter(
    (payment) => isSameAddress(payment.payTo, payTo) && !isSameAddress(payment.payer, payTo),
  );
}

/** Returns the payTo address of the last payment to an endpoint; null if it was never paid. */
export function findLastPayTo(ledger: readonly Payment[], endpoint: string): string | null {
  return ledger.findLast((payment) => payment.endpoint === endpoint)?.payTo ?? null;
}

/** Computes the totals of payments. */
export function sumPayments(payments: readonly Payment[]): PaymentTotals {
  const amountByPayer = new Map<string, bigint>();
  for (const { payer, amount } of payments) {
    amountByPayer.set(payer.toLowerCase(), (amountByPayer.get(payer.toLowerCase()) ?? 0n) + BigInt(amount));
  }
  const volume = [...amountByPayer.values()].reduce((sum, paid) => sum + paid, 0n);
  const largest = [...amountByPayer.values()].reduce((top, paid) => (paid > top ? paid : top), 0n);
  const topPayerShare = volume === 0n ? 0 : Number(largest) / Number(volume);
  return { volume, settlements: payments.length, payers: amountByPayer.size, topPayerShare };
}
