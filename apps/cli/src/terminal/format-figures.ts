import { atomicToUsd } from '@touchstone/x402';

/** English number format, so that the output does not depend on the locale of the machine. */
const NUMBER_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** Formats a number with thousands separators: `1,430`. */
export function formatNumber(value: number): string {
  return NUMBER_FORMAT.format(value);
}

/** Formats a count with its noun: `1 error`, `1,430 errors`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats points of the score with one decimal: `89.0`. */
export function formatPoints(value: number): string {
  return value.toFixed(1);
}

/** Formats a share from 0 to 1 as a percentage: `99.3 %`. */
export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/**
 * Formats a similarity from 0 to 1 in whole percent, rounded down: `82 %`. The service ranks by whole percent, so a
 * similarity with decimals would look wrongly ranked.
 */
export function formatSimilarity(similarity: number): string {
  // The service rounds to four decimals. Without rounding, 0.58 × 100 would be 57.99….
  return `${String(Math.floor(Math.round(similarity * 10_000) / 100))} %`;
}

/** Formats milliseconds: `212 ms`, `3.41 s`. */
export function formatMs(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}

/** Formats an ISO 8601 time: `2026-06-01 12:00 UTC`. */
export function formatTime(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

/** Formats a decimal string of US dollars without rounding: `$0.01`, `$1,234.50`. */
export function formatUsd(amountUsd: string): string {
  const [whole = '', fraction = ''] = amountUsd.split('.');
  const digits = fraction.replace(/0+$/, '');
  const units = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `$${units}${digits === '' ? '' : `.${digits.padEnd(2, '0')}`}`;
}

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
