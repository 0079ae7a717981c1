import type { Payment } from '../buy/stored-payments.ts';
import { CliError } from '../command-tools.ts';
import { formatUsdc } from '../terminal/text.ts';

/** Limits of one run of the server. Amounts are in atomic units of USDC. */
export interface SpendingLimits {
  readonly perCall: bigint;
  readonly total: bigint;
  /** Maximum number of signed payments. */
  readonly calls: number;
}

/** Limit of the next purchase. `limitSource` names its setting, for messages. */
interface PurchaseLimit {
  readonly limit: bigint;
  readonly limitSource: string;
}

/** Payments that were signed or sent in one run of the server. */
export interface Spending {
  /**
   * Returns the limit of the next purchase.
   *
   * @param stored payment that the purchase would send again; null for a new payment. A payment that was counted before
   * is not counted again.
   * @throws CliError when the number of payments is used up
   */
  readonly findLimit: (stored: Payment | null) => PurchaseLimit;
  /** Counts a payment. Call `count` before the payment is sent. @throws CliError for a payment beyond the limits */
  readonly count: (payment: Payment) => void;
}

/**
 * Creates the record of the payments of one run. A signed payment also counts if the service refuses the payment: until
 * the signature expires, anyone who has the signature can settle the payment.
 */
export function createSpending({ perCall, total, calls }: SpendingLimits): Spending {
  const counted = new Set<string>();
  let spent = 0n;
  const findLimit = (stored: Payment | null): PurchaseLimit => {
    const isCounted = stored !== null && counted.has(toKey(stored));
    if (!isCounted && counted.size >= calls) {
      throw new CliError(
        `The limit of ${String(calls)} payments in one run (--max-calls of touchstone mcp) is reached. ` +
          'Nothing was signed or charged. The user can restart the server, or raise the limit.',
        { code: 'limit-exceeded', notCharged: true },
      );
    }
    const rest = total - spent;
    if (isCounted || perCall <= rest) return { limit: perCall, limitSource: '--max-usd of touchstone mcp' };
    const state = `${formatUsdc(spent)} of ${formatUsdc(total)} are signed in this run`;
    return { limit: rest, limitSource: `--max-total-usd of touchstone mcp: ${state}` };
  };
  return {
    findLimit,
    count: (payment) => {
      const key = toKey(payment);
      if (counted.has(key)) return;
      const amount = BigInt(payment.amount);
      const { limit, limitSource } = findLimit(payment);
      // The quote was checked against the same limit. An amount above the limit therefore means that another process has
      // changed the stored payment since that check.
      if (amount > limit)
        throw new CliError(`The payment was not sent: it is above the limit (${limitSource}).`, {
          code: 'limit-exceeded',
        });
      counted.add(key);
      spent += amount;
    },
  };
}

/** Returns the identity of a payment: payer and nonce, as on the chain. */
function toKey({ payer, nonce }: Payment): string {
  return `${payer} ${nonce}`.toLowerCase();
}
