import { atomicToUsd } from '@touchstone/x402';
import { formatUsd } from '../../terminal/format-figures.ts';

/** Number of decimals of USDC on every supported network. US dollars in the API have the same number of decimals. */
const USDC_DECIMALS = 6;

const DECIMAL = /^\d{1,9}(\.\d{1,6})?$/;

/**
 * Converts an amount in US dollars, as a user types it, to atomic units of USDC.
 *
 * @returns null for any other text, such as an amount with more than six decimals
 */
export function parseUsd(text: string): bigint | null {
  const trimmed = text.trim().replace(/^\$/, '');
  if (!DECIMAL.test(trimmed)) return null;
  const [whole = '', fraction = ''] = trimmed.split('.');
  return BigInt(whole + fraction.padEnd(USDC_DECIMALS, '0'));
}

/** Formats atomic units of USDC as dollars that `parseUsd` accepts: `$0.005`, `$12.50`. */
export function formatUsdc(amount: bigint): string {
  return formatUsd(atomicToUsd(amount, USDC_DECIMALS)).replaceAll(',', '');
}
