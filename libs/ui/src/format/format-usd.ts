/**
 * Formats a US dollar amount exactly and without rounding, with at least two decimals and no further trailing zeros.
 * Returns the text unchanged if it is not a plain decimal. From a trillion dollars on, the result is `over $1
 * trillion`, because untrusted amounts could fill a page with digits.
 *
 * @param amountUsd A decimal string such as `0.005000`.
 * @returns For example `$0.005`, `$1.00` or `$12,000.25`.
 */
export function formatUsd(amountUsd: string): string {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(amountUsd);
  if (!parts) return amountUsd;
  const [, whole = '', fraction = ''] = parts;
  if (isTrillionOrMore(whole)) return 'over $1 trillion';
  return `$${groupThousands(whole)}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** Returns true for a whole number with at least thirteen digits, not counting leading zeros. */
export function isTrillionOrMore(digits: string): boolean {
  return /^0*[1-9]\d{12}/.test(digits);
}

/** Adds commas as thousands separators and removes leading zeros. */
export function groupThousands(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '').replace(/\B(?=(\d{3})+$)/g, ',');
}
