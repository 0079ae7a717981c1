/** Formats a whole number with commas as thousands separators. */
export function formatCount(count: number): string {
  return groupThousands(String(Math.trunc(count)));
}

/** Formats a score from 0 to 100 with one decimal. */
export function formatScore(score: number): string {
  return score.toFixed(1);
}

/** Highest percentage below 100 with one decimal. */
const MAX_PARTIAL_PERCENT = 99.9;

/** Formats a percentage with one decimal. A percentage below 100 is never rounded to 100. */
export function formatPercent(percent: number): string {
  return `${(percent < 100 ? Math.min(MAX_PARTIAL_PERCENT, percent) : percent).toFixed(1)}%`;
}

/** Formats a confidence from 0 to 1 with two decimals. */
export function formatConfidence(confidence: number): string {
  return confidence.toFixed(2);
}

/**
 * Returns the band of a confidence from 0 to 1: `low`, `moderate` or `high`. In the band `low`, the recommendation is
 * never `proceed`.
 */
export function toConfidenceBand(confidence: number): 'low' | 'moderate' | 'high' {
  if (confidence < 0.3) return 'low';
  return confidence < 0.7 ? 'moderate' : 'high';
}

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
function isTrillionOrMore(digits: string): boolean {
  return /^0*[1-9]\d{12}/.test(digits);
}

/** Adds commas as thousands separators and removes leading zeros. */
function groupThousands(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '').replace(/\B(?=(\d{3})+$)/g, ',');
}

/**
 * Formats an amount of atomic token units as whole tokens, exactly and without trailing zeros. From a trillion tokens
 * on, the result is `over 1 trillion`, because untrusted amounts could fill a page with digits.
 *
 * @param amount Atomic units as a decimal string, as in x402 payment requirements.
 * @param decimals Decimals of the token, 0 to 255.
 * @returns For example `0.005` for 5000 units of a token with six decimals; null when `amount` is not a whole number
 *   or `decimals` is outside its range.
 */
export function formatTokenAmount(amount: string, decimals: number): string | null {
  if (!/^\d+$/.test(amount) || !Number.isInteger(decimals) || decimals < 0 || decimals > 255) return null;
  const digits = amount.padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const whole = digits.slice(0, point);
  if (isTrillionOrMore(whole)) return 'over 1 trillion';
  const fraction = digits.slice(point).replace(/0+$/, '');
  return groupThousands(whole) + (fraction && `.${fraction}`);
}
