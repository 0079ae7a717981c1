import { groupThousands } from './format-usd.ts';

/** A whole number with commas between groups of three digits. */
export function formatCount(count: number): string {
  return groupThousands(String(Math.trunc(count)));
}

/** A score from 0 to 100 with its one decimal. */
export function formatScore(score: number): string {
  return score.toFixed(1);
}

/** A percentage with one decimal. */
export function formatPercent(percent: number): string {
  return `${percent.toFixed(1)}%`;
}

/** A confidence from 0 to 1 with its two decimals. */
export function formatConfidence(confidence: number): string {
  return confidence.toFixed(2);
}

/** The band a confidence from 0 to 1 falls into. Below 0.3 the recommendation is never better than caution. */
export function confidenceBand(confidence: number): 'low' | 'moderate' | 'high' {
  if (confidence < 0.3) return 'low';
  return confidence < 0.7 ? 'moderate' : 'high';
}
