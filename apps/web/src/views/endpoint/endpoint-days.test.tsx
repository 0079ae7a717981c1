import type { EndpointDay, Snapshot } from '@touchstone/store';
import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { CHART_DAYS, EndpointDays, toDaySeries } from './endpoint-days.tsx';

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

const render = (days: readonly EndpointDay[], overrides: Partial<Snapshot> = {}) =>
  renderToStaticMarkup(
    <EndpointDays snapshot={createTestSnapshot(overrides)} days={days} vantage="Test lab" />,
  );

describe('EndpointDays', () => {
  it('shows uptime, price and latency of each day', () => {
    const text = extractText(render(DAYS));
    expect(text).toContain('2026-03-04 50 % 24 2026-03-03 none scored none scored 2026-03-02 100 % 48');
    expect(text).toContain('2026-03-04 $0.01 2026-03-03 no data 2026-03-02 $0.005');
    expect(text).toContain('Latency from Test lab');
    expect(text).toContain(
      '2026-03-04 1,318 ms 2,400 ms 2026-03-03 no data no data 2026-03-02 290 ms 410 ms',
    );
  });

  it('shows the uptime of the snapshot with the first day of its period', () => {
    expect(extractText(render(DAYS, { uptime30d: 83.3 }))).toContain(
      'Uptime since 2026-03-02: 83.3 % of scored probes succeeded.',
    );
    expect(extractText(render(DAYS, { blockedSince: '2026-03-03T00:30:00.000Z' }))).toContain(
      'of scored probes succeeded. Every probe since 2026-03-03 was blocked.',
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

const UNTIL = '2026-03-04T12:34:56.000Z';

const createDay = (overrides: Partial<EndpointDay>): EndpointDay => ({
  day: '2026-03-04',
  probes: 48,
  scored: 47,
  up: 47,
  latencyMsP50: 300,
  latencyMsP95: 500,
  amountUsd: '0.005000',
  ...overrides,
});

describe('toDaySeries', () => {
  it('has the days from the first day with probes to the day of the snapshot in each series', () => {
    const { uptime, price, latencyP50, latencyP95 } = toDaySeries([createDay({ day: '2026-03-01' })], UNTIL);
    for (const series of [uptime, price, latencyP50, latencyP95])
      expect(series.map(({ day }) => day)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04']);
  });

  it('has no value on a day without a scored probe, price or latency, and 0 % on a day without success', () => {
    const { uptime, price, latencyP50, latencyP95 } = toDaySeries(
      [createDay({ scored: 0, up: 0, latencyMsP50: null, latencyMsP95: null, amountUsd: null })],
      UNTIL,
    );
    expect(uptime.at(-1)).toEqual({ day: '2026-03-04', uptime: null, probes: 0 });
    expect(toDaySeries([createDay({ up: 0 })], UNTIL).uptime.at(-1)).toMatchObject({ uptime: 0, probes: 47 });
    expect(price.at(-1)?.value).toBeNull();
    expect([latencyP50.at(-1)?.value, latencyP95.at(-1)?.value]).toEqual([null, null]);
  });

  it('has days whose sum is the uptime of all probes', () => {
    const day = fc
      .integer({ min: 0, max: 288 })
      .chain((scored) => fc.record({ scored: fc.constant(scored), up: fc.integer({ min: 0, max: scored }) }));
    fc.assert(
      fc.property(fc.array(day, { maxLength: CHART_DAYS }), (counts) => {
        const days = counts.map((figures, index) =>
          createDay({
            ...figures,
            day: new Date(Date.parse(UNTIL) - index * 86_400_000).toISOString().slice(0, 10),
          }),
        );
        const { uptime } = toDaySeries(days, UNTIL);
        const up = uptime.reduce((sum, each) => sum + ((each.uptime ?? 0) * each.probes) / 100, 0);
        expect(up).toBeCloseTo(
          counts.reduce((sum, each) => sum + each.up, 0),
          6,
        );
        const scored = uptime.reduce((sum, each) => sum + each.probes, 0);
        expect(scored).toBe(counts.reduce((sum, each) => sum + each.scored, 0));
      }),
    );
  });
});
