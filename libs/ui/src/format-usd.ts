/**
 * A US dollar amount for reading: exact to the last digit, at least two decimals, no further trailing zeros.
 * Money is never rounded, so a text that is not a plain decimal is given back as it is.
 *
 * @param amountUsd A decimal string such as `0.005000`.
 * @returns For example `$0.005`, `$1.00` or `$12,000.25`.
 */
export function formatUsd(amountUsd: string): string {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(amountUsd);
  if (!parts) return amountUsd;
  const [, whole = '', fraction = ''] = parts;
  return `$${groupThousands(whole)}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** Commas between groups of three digits, without leading zeros. */
export function groupThousands(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '').replace(/\B(?=(\d{3})+$)/g, ',');
}
