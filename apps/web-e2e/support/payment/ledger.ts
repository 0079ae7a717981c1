import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@touchstone/common';

/** Wallet of a seller on one network. */
interface Wallet {
  /** CAIP-2 id. */
  readonly network: string;
  readonly payTo: string;
}

/** Payment of a simulated buyer, as recorded in the sandbox ledger. */
export interface Payment extends Wallet {
  readonly endpoint: string;
  readonly payer: string;
  /** Amount in atomic units, as a decimal string. */
  readonly amount: string;
  /** Time of the block that contains the payment, in ISO 8601. */
  readonly at: string;
  /** True for wash trading: the seller sends the payments of each simulated day back at its end. */
  readonly wash: boolean;
}

/** Totals of the payments to a wallet. Payments of the wallet to itself are excluded. */
export interface PaymentTotals {
  /** Volume that stayed, and volume that was sent back to payers. */
  readonly volume: bigint;
  readonly returned: bigint;
  /** Number of payments, including those that were sent back. */
  readonly settlements: number;
  /** Number of payers of which something stayed. */
  readonly payers: number;
  /** 0 to 1. */
  readonly topPayerShare: number;
}

const isSameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Reads the payments from the sandbox ledger. Returns null if the sandbox has no chain on this platform. */
export function readLedger(): readonly Payment[] | null {
  const file = join(process.env['TOUCHSTONE_DATA_DIR'] ?? '', 'sandbox', 'ledger.jsonl');
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  // The sandbox wrote and validated this file, so the cast is safe.
  return lines.map((line) => JSON.parse(line) as Payment);
}

/** Selects the payments to a wallet, in the order of the ledger. Payments of the wallet to itself are excluded. */
export function filterPaymentsTo(ledger: readonly Payment[], { network, payTo }: Wallet): Payment[] {
  return ledger.filter(
    (payment) =>
      payment.network === network &&
      isSameAddress(payment.payTo, payTo) &&
      !isSameAddress(payment.payer, payTo),
  );
}

/** Returns the wallet that received the latest payment to an endpoint; null if no payment was made to the endpoint. */
export function findLastWallet(ledger: readonly Payment[], endpoint: string): Wallet | null {
  return ledger.findLast((payment) => payment.endpoint === endpoint) ?? null;
}

/** Returns the start of the simulated day that contains a time. Both times are milliseconds since the epoch. */
function toDayStart(time: number): number {
  const file = join(process.env['TOUCHSTONE_DATA_DIR'] ?? '', 'sandbox', 'world.json');
  // The sandbox wrote and validated this file, so the cast is safe.
  const start = Date.parse((JSON.parse(readFileSync(file, 'utf8')) as { epoch: string }).epoch);
  return start + Math.floor((time - start) / DAY_MS) * DAY_MS;
}

/** Sums payments. @param through time until which refunds are included, in milliseconds since the epoch */
export function sumPayments(payments: readonly Payment[], through = Date.now()): PaymentTotals {
  const dayStart = toDayStart(through);
  const kept = payments.filter(({ wash, at }) => !wash || Date.parse(at) >= dayStart);
  const paid = payments.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const amountByPayer = new Map<string, bigint>();
  for (const { payer, amount } of kept) {
    amountByPayer.set(payer.toLowerCase(), (amountByPayer.get(payer.toLowerCase()) ?? 0n) + BigInt(amount));
  }
  const volume = [...amountByPayer.values()].reduce((sum, paid) => sum + paid, 0n);
  const largest = [...amountByPayer.values()].reduce((top, paid) => (paid > top ? paid : top), 0n);
  const topPayerShare = volume === 0n ? 0 : Number(largest) / Number(volume);
  const returned = paid - volume;
  return { volume, returned, settlements: payments.length, payers: amountByPayer.size, topPayerShare };
}
