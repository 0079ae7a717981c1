import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from './constants.ts';
import { formatDuration } from './format-duration.ts';

describe('formatDuration', () => {
  it.each([
    [0, 'less than a minute'],
    [MINUTE_MS - 1, 'less than a minute'],
    [MINUTE_MS, '1 minute'],
    [60 * MINUTE_MS - 1, '59 minutes'],
    [60 * MINUTE_MS, '1 hour'],
    [24 * 60 * MINUTE_MS - 1, '23 hours'],
    [24 * 60 * MINUTE_MS, '1 day'],
    [60 * 24 * 60 * MINUTE_MS, '60 days'],
  ])('formats %i ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it('rounds as requested', () => {
    expect(formatDuration(119 * MINUTE_MS, Math.round)).toBe('2 hours');
  });
});
