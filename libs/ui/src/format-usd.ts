/**
 * A US dollar amount for reading: exact to the last digit, at least two decimals, no further trailing zeros.
 * Money is never rounded, so a text that is not a plain decimal is given back as it is. From a trillion on only that
 * is said: nobody can be charged as much, and strangers could fill a page with the digits.
 *
 * @param amountUsd A decimal string such as `0.005000`.
 * @returns For example `$0.005`, `$1.00` or `$12,000.25`.
 */
export function formatUsd(amountUsd: string): string {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(amountUsd);
  if (!parts) return amountUsd;
  const [, whole = '', fraction = ''] = parts;
  if (isTrillions(whole)) return 'over $1 trillion';
  return `$${groupThousands(whole)}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** Whether a whole number has thirteen digits or more, leading zeros aside. */
export function isTrillions(digits: string): boolean {
  return /^0*[1-9]\d{12}/.test(digits);
}

/** Commas between groups of three digits, without leading zeros. */
export function groupThousands(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '').replace(/\B(?=(\d{3})+$)/g, ',');
}
