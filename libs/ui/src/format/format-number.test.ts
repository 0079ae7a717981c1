import { describe, expect, it } from 'vitest';
import {
  toConfidenceBand,
  formatConfidence,
  formatCount,
  formatPercent,
  formatScore,
} from './format-number.ts';

describe('number formats', () => {
  it('have a fixed number of decimals', () => {
    expect(formatScore(95)).toBe('95.0');
    expect(formatScore(0)).toBe('0.0');
    expect(formatPercent(99.7)).toBe('99.7%');
    expect(formatPercent(100)).toBe('100.0%');
    expect(formatConfidence(0.5)).toBe('0.50');
  });

  it('show 100% only for exactly 100', () => {
    expect(formatPercent(99.96)).toBe('99.9%');
    expect(formatPercent(99.999_999)).toBe('99.9%');
    expect(formatPercent(99.94)).toBe('99.9%');
    expect(formatPercent((100 * 7) / 7)).toBe('100.0%');
  });

  it('group thousands', () => {
    expect(formatCount(0)).toBe('0');
    expect(formatCount(999)).toBe('999');
    expect(formatCount(1000)).toBe('1,000');
    expect(formatCount(48_000_000)).toBe('48,000,000');
  });

  it('include the band of a confidence', () => {
    expect([0, 0.29, 0.3, 0.69, 0.7, 1].map(toConfidenceBand)).toEqual([
      'low',
      'low',
      'moderate',
      'moderate',
      'high',
      'high',
    ]);
  });
});
