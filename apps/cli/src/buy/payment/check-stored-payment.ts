import { CliError } from '../../cli-error.ts';
import type { PurchaseConditions } from '../purchase.ts';
import { formatUsdc } from '../quote/usdc-amount.ts';
import type { Payment } from './stored-payments.ts';

/**
 * Checks that a payment of an earlier run may be sent again. The user confirmed the payment in the earlier run, but its
 * amount and network must also meet the conditions of the current run.
 *
 * @returns message for the user
 * @throws CliError when the payment must not be sent again
 */
export function checkStoredPayment(
  stored: Payment,
  { limit, limitSource, networks, openWallet }: PurchaseConditions,
): string {
  const amount = BigInt(stored.amount);
  const status = `A payment of ${formatUsdc(amount)} from ${stored.payer}, signed at ${stored.signedAt}, has no result yet.`;
  const advice = 'Nothing was sent. The payment may be charged already. To get its result,';
  if (amount > limit) {
    throw new CliError(
      `${status} Its amount of ${formatUsdc(amount)} is above the limit of ${formatUsdc(limit)}` +
        (limitSource === undefined
          ? `. ${advice} use --max-usd ${formatUsdc(amount).slice(1)}`
          : ` (${limitSource}). ${advice} raise this limit.`),
      { code: 'limit-exceeded' },
    );
  }
  if (!networks.includes(stored.network)) {
    throw new CliError(
      `${status} Its network is ${stored.network}, and --network is ${networks.join(', ')}. ${advice} use --network ${stored.network}`,
      { code: 'network-not-allowed' },
    );
  }
  const current = findWalletAddress(openWallet);
  const isOtherWallet = current !== null && current.toLowerCase() !== stored.payer.toLowerCase();
  const note = isOtherWallet ? ` It is not from the current wallet, ${current}.` : '';
  return `${status}${note} It is sent again, and no new payment is signed.`;
}

/**
 * Returns the address of the configured wallet. Returns null if no valid wallet is configured, because sending a stored
 * payment needs no wallet.
 */
function findWalletAddress(openWallet: PurchaseConditions['openWallet']): string | null {
  try {
    return openWallet().address;
  } catch (error) {
    if (error instanceof CliError) return null;
    throw error;
  }
}
