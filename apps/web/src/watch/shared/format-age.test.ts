import { describe, expect, it } from 'vitest';
import { formatDistance } from './format-age.ts';

const NOW = Date.parse('2026-03-04T12:00:00Z');

describe('formatDistance', () => {
  it.each([
    ['2026-03-04T12:00:00Z', 'less than a minute ago'],
    ['2026-03-04T11:59:00Z', '1 minute ago'],
    ['2026-03-04T11:00:01Z', '59 minutes ago'],
    ['2026-03-04T11:00:00Z', '1 hour ago'],
    ['2026-02-02T12:00:00Z', '30 days ago'],
    ['2026-03-04T12:00:30Z', 'in less than a minute'],
    ['2026-03-05T11:59:59Z', 'in 24 hours'],
    ['2026-03-04T17:20:00Z', 'in 5 hours'],
    ['2026-04-03T12:00:00Z', 'in 30 days'],
    ['2026-04-03T11:59:00Z', 'in 30 days'],
  ])('formats %s as %s', (iso, text) => {
    expect(formatDistance(iso, NOW)).toBe(text);
  });
});
