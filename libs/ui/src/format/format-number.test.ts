import { expect, it } from 'vitest';
import {
  toConfidenceBand,
  formatConfidence,
  formatCount,
  formatPercent,
  formatScore,
} from './format-number.ts';

it.each([
  [formatScore(95), '95.0'],
  [formatScore(0), '0.0'],
  [formatPercent(99.7), '99.7%'],
  [formatPercent((100 * 7) / 7), '100.0%'],
  // 100 % is shown only for exactly 100.
  [formatPercent(99.96), '99.9%'],
  [formatPercent(99.999_999), '99.9%'],
  [formatConfidence(0.5), '0.50'],
  [formatCount(999), '999'],
  [formatCount(48_000_000), '48,000,000'],
])('%s is %s', (text, expected) => {
  expect(text).toBe(expected);
});

it('a confidence has a band', () => {
  const bands = [0, 0.29, 0.3, 0.69, 0.7, 1].map(toConfidenceBand);
  expect(bands.join(' ')).toBe('low low moderate moderate high high');
});
