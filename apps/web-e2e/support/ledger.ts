import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A payment that an agent of the sandbox made, as its ledger has it. */
export interface Payment {
  readonly endpoint: string;
  readonly payer: string;
  readonly payTo: string;
  /** Atomic units, decimal. */
  readonly amount: string;
  /** Time of its block, ISO 8601. */
  readonly at: string;
}

/** What was paid to a wallet, less what it paid to itself. */
export interface Paid {
  readonly volume: bigint;
  readonly settlements: number;
  readonly payers: number;
  /** 0 to 1. */
  readonly topPayerShare: number;
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** What the agents of the service under test really paid; null where npm has no chain for this machine. */
export function readLedger(): readonly Payment[] | null {
  const file = join(process.env['TOUCHSTONE_DATA_DIR'] ?? '', 'sandbox', 'ledger.jsonl');
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  // The sandbox wrote it, and has a schema of its own for it.
  return lines.map((line) => JSON.parse(line) as Payment);
}

/** Payments of others to a wallet, in the order of the ledger. */
export function paymentsTo(ledger: readonly Payment[], payTo: string): Payment[] {
  return ledger.filter((payment) => same(payment.payTo, payTo) && !same(payment.payer, payTo));
}

/** Where an endpoint was last paid, or null where it never was. */
export function walletOf(ledger: readonly Payment[], endpoint: string): string | null {
  return ledger.findLast((payment) => payment.endpoint === endpoint)?.payTo ?? null;
}

/** The sum of some payments. */
export function addUp(payments: readonly Payment[]): Paid {
  const byPayer = new Map<string, bigint>();
  for (const { payer, amount } of payments) {
    byPayer.set(payer.toLowerCase(), (byPayer.get(payer.toLowerCase()) ?? 0n) + BigInt(amount));
  }
  const volume = [...byPayer.values()].reduce((sum, paid) => sum + paid, 0n);
  const most = [...byPayer.values()].reduce((top, paid) => (paid > top ? paid : top), 0n);
  const topPayerShare = volume === 0n ? 0 : Number(most) / Number(volume);
  return { volume, settlements: payments.length, payers: byPayer.size, topPayerShare };
}
