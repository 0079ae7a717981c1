import { describe, expect, it } from 'vitest';
import { createTestWatch, renderAt, renderText } from './testing/test-watch.tsx';
import { WatchStatus } from './watch-status.tsx';

describe('WatchStatus', () => {
  it('shows state, remaining time, sensitivity and events with their units', () => {
    const html = renderAt(<WatchStatus watch={createTestWatch()} />);
    expect(html).toContain('href="/endpoint/api-example-com-weather-abcdefgh27"');
    const text = renderText(<WatchStatus watch={createTestWatch()} />);
    for (const part of [
      'State Active w_k5xgq2dlmvzw433bnz2gs3tbme',
      'Expires in 12 days 2026-03-16 12:00 UTC',
      'Sensitivity 2 missed probes in a row before an outage is reported: about 10 minutes',
      'Events 2 of 7 types Payment address changed, Outage',
    ]) {
      expect(text).toContain(part);
    }
  });

  it.each([
    [{ status: 'expired', expires_at: '2026-03-03T12:00:00Z' }, 'State Expired', 'End 1 day ago 2026-03-03'],
    [
      { status: 'cancelled', cancelled_at: '2026-03-04T11:00:00Z' },
      'State Cancelled',
      'End 1 hour ago cancelled 2026-03-04',
    ],
    [{ expires_at: '2026-03-04T12:00:30Z' }, 'State Active', 'Expires in less than a minute'],
    [{ liveness_sensitivity_n: 1 }, 'State Active', '1 missed probe before'],
  ] as const)('describes %j', (overrides, state, figure) => {
    const text = renderText(<WatchStatus watch={createTestWatch(overrides)} />);
    expect(text).toContain(state);
    expect(text).toContain(figure);
  });
});
