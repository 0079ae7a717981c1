import { PERIOD_DAYS } from '@touchstone/common';
import type { EndpointDay } from '@touchstone/store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDaySeries } from './day-series.ts';

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
      fc.property(fc.array(day, { maxLength: PERIOD_DAYS }), (counts) => {
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
