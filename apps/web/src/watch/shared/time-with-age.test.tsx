import { describe, expect, it } from 'vitest';
import { renderText } from '../testing/test-watch.tsx';
import { TimeWithAge } from './time-with-age.tsx';

describe('TimeWithAge', () => {
  it('shows no future for an event that is newer than the clock of the page', () => {
    expect(renderText(<TimeWithAge iso="2026-03-04T12:00:08Z" />)).toBe(
      '2026-03-04 12:00 UTC (less than a minute ago)',
    );
  });

  it('shows the time until a planned event', () => {
    expect(renderText(<TimeWithAge iso="2026-03-04T12:05:00Z" isPlanned />)).toContain('(in 5 minutes)');
    expect(renderText(<TimeWithAge iso="2026-03-04T11:55:00Z" isPlanned />)).toContain('(5 minutes ago)');
  });
});
