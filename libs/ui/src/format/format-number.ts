import { groupThousands } from './format-usd.ts';

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
 * Returns the band in which a confidence from 0 to 1 lies. In the band `low`, the recommendation is never `proceed`.
 */
export function toConfidenceBand(confidence: number): 'low' | 'moderate' | 'high' {
  if (confidence < 0.3) return 'low';
  return confidence < 0.7 ? 'moderate' : 'high';
}
