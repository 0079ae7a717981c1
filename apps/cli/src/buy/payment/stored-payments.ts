import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '@touchstone/common';
import { CliError } from '../../cli-error.ts';
import type { Order } from '../service/order.ts';
import { paymentSchema, type Payment } from './payment.ts';

/**
 * Time after which a stored payment is deleted, in milliseconds. The service keeps a bought result for the same time.
 */
export const MAX_STORED_MS = DAY_MS;

/** Stored signed payments, whose results were not received yet. */
export interface StoredPayments {
  /**
   * Stores a payment. Call it before the payment is sent.
   *
   * @throws CliError when the payment cannot be stored, and so must not be sent
   */
  readonly store: (payment: Payment) => void;
  readonly remove: (payment: Payment) => void;
  /** Returns the path of the file of a payment. */
  readonly getFile: (payment: Payment) => string;
  /** Returns the latest stored payment for an order, or null. Deletes expired payments for the same order. */
  readonly find: (order: Order) => Payment | null;
}

/** Returns the folder for program state (XDG Base Directory Specification), or its equivalent on Windows. */
export function findStateFolder(env: Readonly<Record<string, string | undefined>>): string {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = env;
  if (xdg !== undefined && xdg.startsWith('/')) return join(xdg, 'touchstone');
  if (process.platform === 'win32' && local) return join(local, 'touchstone');
  return join(homedir(), '.local', 'state', 'touchstone');
}

/**
 * Opens the payments that are stored in a folder, one file for each payment. Only the owner can read the files, because
 * anyone who has a signed payment can settle it, though only to its receiver.
 *
 * @param now returns milliseconds since the epoch
 */
export function openStoredPayments(folder: string, now: () => number): StoredPayments {
  const paymentFolder = join(folder, 'payments');
  const getFile = (payment: Payment): string =>
    join(paymentFolder, `${hashOrder(payment)}-${payment.nonce.slice(2)}.json`);
  const remove = (payment: Payment): void => rmSync(getFile(payment), { force: true });
  return {
    remove,
    getFile,
    store: (payment) => {
      const file = getFile(payment);
      try {
        mkdirSync(paymentFolder, { recursive: true, mode: 0o700 });
        // Because of the rename, the file is never incomplete. Because of the flush, the file is on the disk before the
        // payment is sent.
        writeFileSync(`${file}.new`, `${JSON.stringify(payment)}\n`, { mode: 0o600, flush: true });
        renameSync(`${file}.new`, file);
      } catch (cause) {
        const message = cause instanceof Error ? cause.message : String(cause);
        throw new CliError(
          `The payment could not be stored, so it was not sent and nothing was charged: ${message}`,
          { cause },
        );
      }
    },
    find: (order) => {
      const stored = readPayments(paymentFolder, `${hashOrder({ url: order.url.href, body: order.body })}-`);
      const isExpired = ({ signedAt }: Payment): boolean => now() - Date.parse(signedAt) > MAX_STORED_MS;
      for (const payment of stored.filter(isExpired)) remove(payment);
      const [latest] = stored
        .filter((payment) => !isExpired(payment))
        .toSorted((a, b) => b.signedAt.localeCompare(a.signedAt));
      return latest ?? null;
    },
  };
}

/** Returns a hash of an order that can be part of a file name. */
export function hashOrder({ url, body }: Pick<Payment, 'url' | 'body'>): string {
  return createHash('sha256').update(`${url}\n${body}`).digest('hex').slice(0, 32);
}

function readPayments(folder: string, prefix: string): Payment[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.startsWith(prefix) && name.endsWith('.json'))
    .flatMap((name) => readPaymentFile(join(folder, name)));
}

/**
 * Reads a payment file. A damaged file is ignored: its payment was never sent, because a payment is stored completely
 * before it is sent.
 */
function readPaymentFile(file: string): Payment[] {
  try {
    return [paymentSchema.parse(JSON.parse(readFileSync(file, 'utf8')))];
  } catch {
    return [];
  }
}
