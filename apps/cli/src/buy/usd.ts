import { atomicToUsd } from '@touchstone/x402';

/** USDC has six decimals on every network that this command pays on, as US dollars have on the wire. */
const USDC_DECIMALS = 6;

const DECIMAL = /^\d{1,9}(\.\d{1,6})?$/;

/**
 * US dollars as somebody types them, in millionths.
 *
 * @returns null for what is no amount with six decimals at most
 */
export function readUsd(text: string): bigint | null {
  const trimmed = text.trim().replace(/^\$/, '');
  if (!DECIMAL.test(trimmed)) return null;
  const [whole = '', fraction = ''] = trimmed.split('.');
  return BigInt(whole + fraction.padEnd(USDC_DECIMALS, '0'));
}

/** Atomic units of USDC as people write dollars: `$0.005`, `$12.50`. */
export function usdWords(amount: bigint): string {
  const [whole = '', fraction = ''] = atomicToUsd(amount, USDC_DECIMALS).split('.');
  const digits = fraction.replace(/0+$/, '');
  return `$${whole}${digits === '' ? '' : `.${digits.padEnd(2, '0')}`}`;
}
