import { formatDay } from './format-timestamp.ts';

/** Figures of endpoints for people. Each kind of figure has one function, so that all pages, texts and pictures agree. */

/** English number format, so that the result does not depend on the locale of the machine. */
const NUMBER_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** Formats a number with thousands separators and at most two decimals: `1,430`, `27.35`. */
export function formatNumber(value: number): string {
  return NUMBER_FORMAT.format(value);
}

/** Formats a count with its noun in singular or plural: `1 error`, `1,430 errors`. Without a noun: `1,430`. */
export function formatCount(count: number, noun?: string): string {
  const number = formatNumber(count);
  return noun === undefined ? number : `${number} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a duration of at least 0 in whole milliseconds: `1,318 ms`. */
export function formatMs(ms: number): string {
  return `${formatNumber(Math.round(ms))} ms`;
}

/** Formats a score from 0 to 100, or a part of a score, with one decimal: `89.0`. */
export function formatScore(score: number): string {
  return score.toFixed(1);
}

/** Formats the score of a verdict. Returns null without a grade, because the score then has no meaning. */
export function formatGradedScore(verdict: {
  readonly grade: string | null;
  readonly score: number | null;
}): string | null {
  return verdict.grade === '?' || verdict.score === null ? null : formatScore(verdict.score);
}

/**
 * Returns a share from 0 to 1 as a percentage with one decimal. Only none is 0, and only all is 100.
 *
 * @param round By default down, so that an uptime below a threshold such as 95 % never reads as the threshold.
 */
export function toPercent(share: number, round = Math.floor): number {
  if (share <= 0 || share >= 1) return share <= 0 ? 0 : 100;
  // The first rounding removes floating-point noise: 0.57 × 1,000 is 569.99….
  const tenths = round(Number((share * 1_000).toFixed(6)));
  return Math.min(999, Math.max(1, tenths)) / 10;
}

/**
 * Formats a measured share from 0 to 1 as a percentage with one decimal, rounded as by `toPercent`: `99.9 %`, `69.0 %`.
 * None and all have no decimal: `0 %`, `100 %`.
 */
export function formatPercent(share: number, round = Math.floor): string {
  const percent = toPercent(share, round);
  return `${percent === 0 || percent === 100 ? String(percent) : percent.toFixed(1)} %`;
}

/** Formats a share of a set of endpoints, which has no threshold, to the nearest tenth: 2 of 3 are `66.7 %`. */
export function formatShare(share: number): string {
  return formatPercent(share, Math.round);
}

/** Formats a constant share, such as a threshold or an axis label, without trailing zeros: `95 %`, `99.9 %`. */
export function formatConstantPercent(share: number): string {
  return `${String(toPercent(share))} %`;
}

/**
 * Formats the uptime of the last 30 days: `99.9 %`. If every latest probe was blocked, the uptime is only of the probes
 * before: `100 % of 94 scored, blocked since 2026-11-16`. Returns null if no probe was scored.
 */
export function formatUptime({
  uptime30d,
  scoredProbes30d,
  blockedSince,
}: {
  /** Percentage of the scored probes that succeeded; null if no probe was scored. */
  readonly uptime30d: number | null;
  readonly scoredProbes30d: number;
  /** ISO 8601 time since which every probe has been blocked; null if the latest probe was not blocked. */
  readonly blockedSince: string | null;
}): string | null {
  if (uptime30d === null) return null;
  const uptime = formatPercent(uptime30d / 100);
  if (blockedSince === null) return uptime;
  return `${uptime} of ${formatNumber(scoredProbes30d)} scored, blocked since ${formatDay(blockedSince)}`;
}

/** Formats a confidence from 0 to 1 with two decimals and its scale: `0.94 of 1`. */
export function formatConfidence(confidence: number): string {
  return `${confidence.toFixed(2)} of 1`;
}

/**
 * Returns the band of a confidence from 0 to 1: `low`, `moderate` or `high`. In the band `low`, the recommendation is
 * never `proceed`.
 */
export function toConfidenceBand(confidence: number): 'low' | 'moderate' | 'high' {
  if (confidence < 0.3) return 'low';
  return confidence < 0.7 ? 'moderate' : 'high';
}

/** Smallest amount of USDC, in US dollars. */
const MIN_USDC_USD = 0.000001;

/**
 * Formats a US dollar amount. From one dollar on, the amount is rounded to cents. An amount below one dollar is exact,
 * because prices of calls are often below one cent. A number has at most the six decimals of USDC. Returns a text
 * unchanged if it is not a plain decimal. From a trillion dollars on, the result is `over $1 trillion`, because
 * untrusted amounts could fill a page with digits.
 *
 * @param amount A decimal string such as `0.005000`, or a number of at least 0.
 * @returns For example `$0.005`, `$1.00` or `$12,000.25`.
 */
export function formatUsd(amount: string | number): string {
  if (typeof amount === 'number' && amount > 0 && amount < MIN_USDC_USD) return 'under $0.000001';
  const amountUsd = typeof amount === 'number' ? amount.toFixed(6) : amount;
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(amountUsd);
  if (!parts) return amountUsd;
  const [, whole = '', fraction = ''] = parts;
  if (isTrillionOrMore(whole)) return 'over $1 trillion';
  if (/[1-9]/.test(whole)) return `$${roundToCents(whole, fraction)}`;
  return `$0.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** Formats the lowest and the highest US dollar amount; one amount if both are equal. Returns null without both. */
export function formatUsdRange(lowest: string | null, highest: string | null): string | null {
  if (lowest === null || highest === null) return null;
  const [low, high] = [formatUsd(lowest), formatUsd(highest)];
  return low === high ? low : `${low} to ${high}`;
}

/** Rounds an amount of at least one dollar half up to cents. */
function roundToCents(whole: string, fraction: string): string {
  const thousandths = BigInt(`${whole}${fraction.padEnd(3, '0').slice(0, 3)}`);
  const cents = ((thousandths + 5n) / 10n).toString();
  return `${groupThousands(cents.slice(0, -2))}.${cents.slice(-2)}`;
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
