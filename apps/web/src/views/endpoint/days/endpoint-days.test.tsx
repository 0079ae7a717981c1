import type { EndpointDay, Snapshot } from '@touchstone/store';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../../testing/html-text.ts';
import { createTestSnapshot } from '../../../testing/test-snapshot.ts';
import { EndpointDays } from './endpoint-days.tsx';

const DAYS: readonly EndpointDay[] = [
  { day: '2026-03-02', probes: 48, scored: 48, up: 48, latencyMs: 290, amountUsd: '0.005000' },
  { day: '2026-03-04', probes: 25, scored: 24, up: 12, latencyMs: 1318, amountUsd: '0.010000' },
];

const render = (days: readonly EndpointDay[], overrides: Partial<Snapshot> = {}) =>
  renderToStaticMarkup(
    <EndpointDays snapshot={createTestSnapshot(overrides)} days={days} vantage="Test lab" />,
  );

describe('EndpointDays', () => {
  it('shows uptime, price and latency of each day', () => {
    const html = render(DAYS);
    expect(html).toContain('2026-03-02: 100.0% of 48 probes succeeded');
    expect(html).toContain('2026-03-03: no data');
    expect(html).toContain('2026-03-04: 50.0% of 24 probes succeeded');
    expect(html).toContain('2026-03-04: $0.01');
    expect(html).toContain('2026-03-04: 1,318 ms');
    expect(extractText(html)).toContain('Latency from Test lab');
  });

  it('shows the uptime of the days that it draws, also if the snapshot has another one', () => {
    for (const uptime30d of [83.3, 99.9, null])
      expect(extractText(render(DAYS, { uptime30d }))).toContain(
        'Uptime over all 30 days: 83.3% of 72 probes.',
      );
    const unscored = DAYS.map((day) => ({ ...day, scored: 0, up: 0 }));
    expect(extractText(render(unscored))).toContain('No probe of these days could be scored.');
  });

  it.each([
    [{ templated: true, lastProbedAt: null }, 'a URL with placeholders cannot be probed'],
    [{ lastProbedAt: null }, 'No probe yet.'],
    [{}, 'No probe in the last 30 days'],
  ])('explains missing days of %j', (overrides, reason) => {
    const html = render([], overrides);
    expect(html).not.toContain('<svg');
    expect(extractText(html)).toContain(reason);
  });
});
