import type { EndpointDay, EventEntry, Snapshot } from '@touchstone/store';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { renderReport } from './testing/render-report.tsx';

const DAYS: readonly EndpointDay[] = [
  {
    day: '2026-03-02',
    probes: 48,
    scored: 48,
    up: 48,
    latencyMsP50: 290,
    latencyMsP95: 410,
    amountUsd: '0.005000',
  },
  {
    day: '2026-03-04',
    probes: 25,
    scored: 24,
    up: 12,
    latencyMsP50: 1318,
    latencyMsP95: 2400,
    amountUsd: '0.010000',
  },
];
const EVENTS: readonly EventEntry[] = Array.from({ length: 6 }, (_, index) => ({
  id: String(9 - index),
  kind: 'takeover-suspected',
  at: `2026-03-0${String(2 - (index > 0 ? 1 : 0))}T23:50:00.000Z`,
}));

const render = (
  days: readonly EndpointDay[],
  overrides: Partial<Snapshot> = {},
  events: readonly EventEntry[] = [],
) => renderReport(overrides, {}, { days, events });

describe('the last 30 days of an endpoint', () => {
  it('show uptime, price and latency of each day', () => {
    const text = extractText(render(DAYS));
    expect(text).toContain('2026-03-04 50.0 % 24 2026-03-03 none scored none scored 2026-03-02 100 % 48');
    expect(text).toContain('2026-03-04 $0.01 2026-03-03 no data 2026-03-02 $0.005');
    expect(text).toContain('Latency from Test lab');
    expect(text).toContain(
      '2026-03-04 1,318 ms 2,400 ms 2026-03-03 no data no data 2026-03-02 290 ms 410 ms',
    );
  });

  it('mark the day of an event, and link each event with kind and day', () => {
    const html = render(DAYS, {}, EVENTS.slice(0, 1));
    expect(html).toContain('<title>2026-03-02: payTo changed</title>');
    expect(extractText(html)).toContain('What happened payTo changed 2026-03-02');
    expect(html).toContain('href="/events?kind=takeover-suspected&amp;before=9#event-9"');
    expect(html).toContain('href="/events?endpoint=api-example-com-weather-abcdefgh27"');
    expect(html).not.toContain('earlier</summary>');
    expect(html).toContain('href="/events#meanings"');
  });

  it('are named by their first day, if it is later than the first of 30 days', () => {
    expect(extractText(render(DAYS))).toMatch(/Since 2026-03-02 Daily uptime/);
    expect(extractText(render(DAYS))).toContain('Uptime since 2026-03-02 99.9 %');
    expect(extractText(render(DAYS, { templated: true }))).toContain(
      'Since 2026-03-02, with example values in the URL Daily uptime',
    );
    expect(extractText(render(DAYS))).toContain('Probes, since 2026-03-02 1,440');
    expect(extractText(render(DAYS, { computedAt: '2026-03-31T00:00:00.000Z' }))).toContain(
      'Last 30 days Daily uptime',
    );
  });

  it('hide all but four of many events in a section that can be opened', () => {
    expect(extractText(render(DAYS, {}, EVENTS))).toContain('2 earlier payTo changed 2026-03-01');
  });

  it('say that nothing happened', () => {
    expect(extractText(render(DAYS))).toContain('No public event in the last 90 days.');
  });

  it.each([
    [{ templated: true, lastProbedAt: null }, 'a URL with placeholders cannot be probed'],
    [{ lastProbedAt: null }, 'No probe yet.'],
    [{}, 'No probe in the last 30 days'],
  ])('explain missing days of %j', (overrides, reason) => {
    const html = render([], overrides);
    expect(extractText(html)).toContain(reason);
    expect(html).not.toContain('<figure');
  });
});
