import { CliError } from '../cli-error.ts';
import type { Payment } from './payment.ts';
import type { Conditions } from './purchase.ts';
import { usdWords } from './usd.ts';

/**
 * Holds a payment of an earlier run against the conditions of this one. It was agreed to then, so it is not asked for
 * again; but what is said now holds.
 *
 * @returns what to say of it
 * @throws CliError where it is not to be sent
 */
export function acceptEarlier(earlier: Payment, { limit, network, wallet }: Conditions): string {
  const amount = BigInt(earlier.amount);
  const signed = `A payment of ${usdWords(amount)} of ${earlier.payer}, signed at ${earlier.signedAt}`;
  const advice = 'Nothing was sent. It may have been charged already; to fetch what it has bought, give';
  if (amount > limit) {
    throw new CliError(
      `${signed}, waits for its result. It is of ${usdWords(amount)}, more than the limit of ${usdWords(limit)}. ` +
        `${advice} --max-usd ${usdWords(amount).slice(1)}`,
    );
  }
  if (earlier.network !== network) {
    throw new CliError(
      `${signed}, waits for its result. It is on ${earlier.network}, not on ${network}. ${advice} --network ${earlier.network}`,
    );
  }
  const now = addressOf(wallet);
  const other =
    now === null || now.toLowerCase() === earlier.payer.toLowerCase()
      ? ''
      : `, not by the wallet of now, ${now},`;
  return `${signed}${other} has had no result yet: it is sent again, and nothing new is paid.`;
}

/** An earlier payment needs no wallet, so none is no fault. */
function addressOf(wallet: Conditions['wallet']): string | null {
  try {
    return wallet().address;
  } catch (error) {
    if (error instanceof CliError) return null;
    throw error;
  }
}
