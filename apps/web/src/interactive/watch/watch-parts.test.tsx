import { expect, it } from 'vitest';
import { renderText } from './testing/test-watch.tsx';
import { TimeWithAge, formatDistance } from './watch-parts.tsx';

const NOW = Date.parse('2026-03-04T12:00:00Z');

it.each([
  ['2026-03-04T12:00:00Z', 'less than a minute ago'],
  ['2026-03-04T11:00:01Z', '59 minutes ago'],
  ['2026-02-02T12:00:00Z', '30 days ago'],
  ['2026-03-04T12:00:30Z', 'in less than a minute'],
  ['2026-03-05T11:59:59Z', 'in 24 hours'],
  ['2026-03-04T17:20:00Z', 'in 5 hours'],
  ['2026-04-03T11:59:00Z', 'in 30 days'],
])('formats %s as %s', (iso, text) => {
  expect(formatDistance(iso, NOW)).toBe(text);
});

it('shows the future of a planned event only', () => {
  expect(renderText(<TimeWithAge iso="2026-03-04T12:00:08Z" />)).toBe(
    '2026-03-04 12:00 UTC (less than a minute ago)',
  );
  expect(renderText(<TimeWithAge iso="2026-03-04T12:05:00Z" isPlanned />)).toContain('(in 5 minutes)');
  expect(renderText(<TimeWithAge iso="2026-03-04T11:55:00Z" isPlanned />)).toContain('(5 minutes ago)');
});
