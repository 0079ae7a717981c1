import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../cli-error.ts';
import type { Order } from './order.ts';
import { paymentSchema, type Payment } from './payment.ts';

/** The service keeps what a payment has bought for a day. */
export const KEPT_MS = 86_400_000;

/** Payments that were sent and whose result has not come yet. */
export interface KeptPayments {
  /** @throws CliError when it cannot be written down, and must not be sent then */
  readonly keep: (payment: Payment) => void;
  readonly forget: (payment: Payment) => void;
  /** Where a payment is kept. */
  readonly fileOf: (payment: Payment) => string;
  /** The latest one for the same order that can still be sent again; older ones are cleared away. */
  readonly find: (order: Order) => Payment | null;
}

/** Where programs keep what they need for going on (XDG Base Directory Specification), or Windows' place for it. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>): string {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = env;
  if (xdg !== undefined && xdg.startsWith('/')) return join(xdg, 'touchstone');
  if (process.platform === 'win32' && local) return join(local, 'touchstone');
  return join(homedir(), '.local', 'state', 'touchstone');
}

/**
 * Keeps payments in files of their own, for the owner alone to read: whoever has one can have it settled, though only
 * to whom it names.
 *
 * @param now milliseconds since 1970
 */
export function openKeptPayments(folder: string, now: () => number): KeptPayments {
  const place = join(folder, 'payments');
  const fileOf = (payment: Payment): string =>
    join(place, `${digestOf(payment)}-${payment.nonce.slice(2)}.json`);
  const forget = (payment: Payment): void => rmSync(fileOf(payment), { force: true });
  return {
    forget,
    fileOf,
    keep: (payment) => {
      const file = fileOf(payment);
      try {
        mkdirSync(place, { recursive: true, mode: 0o700 });
        // Whole or not at all, and on the disk before anybody else hears of the payment.
        writeFileSync(`${file}.new`, `${JSON.stringify(payment)}\n`, { mode: 0o600, flush: true });
        renameSync(`${file}.new`, file);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new CliError(
          `The payment could not be kept, so it was not sent and nothing was charged: ${why}`,
          { cause },
        );
      }
    },
    find: (order) => {
      const kept = paymentsIn(place, `${digestOf({ url: order.url.href, body: order.body })}-`);
      const isOld = ({ signedAt }: Payment): boolean => now() - Date.parse(signedAt) > KEPT_MS;
      for (const payment of kept.filter(isOld)) forget(payment);
      const [latest] = kept
        .filter((payment) => !isOld(payment))
        .toSorted((a, b) => b.signedAt.localeCompare(a.signedAt));
      return latest ?? null;
    },
  };
}

/** A name for an order that files can have. */
export function digestOf({ url, body }: Pick<Payment, 'url' | 'body'>): string {
  return createHash('sha256').update(`${url}\n${body}`).digest('hex').slice(0, 32);
}

function paymentsIn(place: string, start: string): Payment[] {
  let names: string[];
  try {
    names = readdirSync(place);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.startsWith(start) && name.endsWith('.json'))
    .flatMap((name) => readKept(join(place, name)));
}

/** A file that was cut short was never sent, because sending comes after writing. */
function readKept(file: string): Payment[] {
  try {
    return [paymentSchema.parse(JSON.parse(readFileSync(file, 'utf8')))];
  } catch {
    return [];
  }
}
