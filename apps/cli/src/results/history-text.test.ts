import { DAY_MS } from '@touchstone/common';
import type { History } from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averageToColumns, drawSparkline, findRange, formatHistory } from './history-text.ts';

const FROM = Date.UTC(2026, 4, 2);
const bare = { paint: (_: unknown, text: string) => text, width: 80 };
const iso = (day: number) => new Date(FROM + day * DAY_MS).toISOString();
const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const OTHER = '0x0B2C639c533813f4Aa9D7837CAf62653d097Ff85';

function createTerms(amountUsd: string, payTo = PAY_TO): History['snapshots'][number]['after'] {
  const network = 'eip155:8453';
  const token = { asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', assetSymbol: 'USDC', decimals: 6 };
  const option = { scheme: 'exact', network, ...token, amount: '10000', amountUsd, payTo, falseUsdc: false };
  return { protocolVersion: 2, description: null, options: [option] };
}

/** Creates a history of 30 days: failures on day 10, a higher price from day 15, and no figures on day 20. */
function createHistory(change: Partial<History> = {}): History {
  const days = Array.from({ length: 30 }, (_, index) => index);
  const priceOn = (day: number): string => (day < 15 ? '0.010000' : '0.025000');
  return {
    resource: 'https://api.example.com/v1/weather',
    days: 30,
    from: iso(0),
    to: iso(29),
    snapshots: [
      { at: iso(0), event: 'listed', before: null, after: null },
      { at: iso(15), event: 'price_change', before: createTerms('0.010000'), after: createTerms('0.025000') },
      {
        at: iso(21),
        event: 'payto_change',
        before: createTerms('0.025000'),
        after: createTerms('0.025000', OTHER),
      },
    ],
    probes: days.map((day) => ({
      at: iso(day),
      outcome: day === 10 ? 'timeout' : 'challenged',
      httpStatus: day === 10 ? null : 402,
      error: day === 10 ? 'timeout' : null,
      latencyMs: day === 10 ? null : 200 + day,
      compliant: day === 10 ? null : true,
      amountUsd: day === 10 ? null : priceOn(day),
    })),
    daily: days
      .filter((day) => day !== 20)
      .map((day) => ({
        day: iso(day).slice(0, 10),
        probes: 50,
        scored: 48,
        up: day === 10 ? 12 : 48,
        latencyMsP50: 200 + day * 10,
        latencyMsP95: 900,
        score: 60 + day / 2,
      })),
    purchases: [],
    probesResolution: 'raw',
    lastFailure: {
      at: iso(10),
      phase: 'processing',
      httpStatus: null,
      error: 'timeout',
      detail: 'No response within 10 seconds.',
      since: iso(9.75),
      causes30d: { 'http-503': 4, timeout: 32 },
    },
    ...change,
  };
}

describe('formatHistory', () => {
  it('prints the latest five test purchases, the newest last', () => {
    const [id, transaction] = [`p_${'a'.repeat(26)}`, null];
    const response = { httpStatus: 502, bodyBytes: 12, schemaFindings: null, totalMs: 340 };
    const purchases = [1, 2, 3, 4, 5, 6].map((day) => ({
      ...{ id, transaction, ...response, at: iso(day), amountUsd: '0.010000' },
      outcome: 'paid-not-delivered' as const,
    }));
    const lines = formatHistory(createHistory({ purchases }), bare).match(/.*paid-not-delivered.*/g);
    expect(lines).toHaveLength(5);
    expect(lines?.[0]).toMatch(/^ +Bought +2026-05-04 00:00 UTC, \$0\.01: paid-not-delivered \(HTTP 502, 12/);
    expect(lines?.[4]).toMatch(/^ +2026-05-08/);
  });

  it('draws each figure by day and lists the changes', () => {
    expect(formatHistory(createHistory(), bare)).toMatchInlineSnapshot(`
      "https://api.example.com/v1/weather
      30 days, 2026-05-02 00:00 UTC to 2026-05-31 00:00 UTC. Each column is one day.

        Uptime     25.0 % to 100 % of scored probes
                   ██████████▃█████████ █████████
        Latency    200 ms to 490 ms (whole response: daily median, error at most 16 %)
                   ▁▁▁▁▂▂▂▂▃▃▃▄▄▄▄▅▅▅▅▆ ▆▇▇▇▇████
        Score      60.0 to 74.5
                   ▁▁▁▁▂▂▂▂▃▃▃▄▄▄▄▅▅▅▅▆ ▆▇▇▇▇████
        Price      $0.01 to $0.025
                   ▁▁▁▁▁▁▁▁▁▁ ▁▁▁▁███████████████

        Outcomes   challenged 29, timeout 1
        Failures   timeout 32, http-503 4 in the last 30 days; latest 2026-05-12 00:00
                   UTC: No response within 10 seconds.

        2026-05-02 00:00 UTC  listed
        2026-05-17 00:00 UTC  price_change  $0.01 → $0.025
        2026-05-23 00:00 UTC  payto_change
          0x209693Bc6afc0C5328bA36FaF03C514EF312287C →
          0x0B2C639c533813f4Aa9D7837CAf62653d097Ff85
      "
    `);
  });

  it('marks figures that were not measured', () => {
    const text = formatHistory(createHistory({ snapshots: [], probes: [], daily: [] }), bare);
    expect(text).toContain('Uptime     not measured');
    expect(text).toContain('Outcomes   no probes');
  });

  it('names the last day with a scored probe if all later probes were blocked', () => {
    const { daily } = createHistory();
    const blocked = daily.map((day) => (day.day > '2026-05-10' ? { ...day, scored: 0, up: 0 } : day));
    expect(formatHistory(createHistory({ daily: blocked }), bare)).toContain(
      'Uptime     100 % of scored probes (last on 2026-05-10)',
    );
  });

  it('counts the probes of all days when single probes were not requested', () => {
    const text = formatHistory(createHistory({ probes: [], probesResolution: 'daily' }), bare);
    expect(text).toContain('Outcomes   1,450 probes; the probes one by one were not requested');
  });

  it('shows changed texts of a directory', () => {
    const [before, after] = ['Weather', 'Weather \u001b[31mpro'].map((serviceName) => ({
      directory: 'cdp',
      serviceName,
      description: null,
    }));
    const snapshots = [
      { at: iso(3), event: 'metadata_change' as const, before: before ?? null, after: after ?? null },
      { at: iso(4), event: 'metadata_change' as const, before: null, after: before ?? null },
    ];
    const text = formatHistory(createHistory({ snapshots }), bare);
    expect(text).toContain('metadata_change  cdp: "Weather" → "Weather [31mpro"\n');
    expect(text).toContain('metadata_change  cdp: none → "Weather"\n');
  });

  it('marks the event with which a value begins to vary', () => {
    const snapshots = [
      { at: iso(3), event: 'payto_change' as const, varies: true as const, before: null, after: null },
    ];
    expect(formatHistory(createHistory({ snapshots }), bare)).toContain(
      'payto_change  varies from here on\n',
    );
  });

  it('lists the latest events and the number of earlier ones', () => {
    const snapshots = Array.from({ length: 50 }, (_, index) => ({
      at: iso(index / 2),
      event: 'metadata_change' as const,
      before: null,
      after: { directory: 'cdp', serviceName: null, description: `\u001b[31m${index}` },
    }));
    const text = formatHistory(createHistory({ snapshots }), bare);
    expect(text).toContain('30 earlier events');
    expect(text.match(/metadata_change/g)).toHaveLength(20);
    expect(text).not.toContain('\u001b');
  });
});

describe('sparklines', () => {
  const values = fc.array(fc.option(fc.double({ noNaN: true, min: -1e9, max: 1e9 })), { maxLength: 200 });

  it('have a column for each value, with the extremes at the ends of the scale', () => {
    expect(drawSparkline([0, 50, 100, null], { low: 0, high: 100 })).toBe('▁▅█ ');
    expect(drawSparkline([7, 7], { low: 7, high: 7 })).toBe('▅▅');
    fc.assert(
      fc.property(values, (given) => {
        expect(drawSparkline(given, findRange(given, 1))).toHaveLength(given.length);
      }),
    );
  });

  it('are reduced to the available columns, within the range of the values', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 120 }), (given, columns) => {
        const averaged = averageToColumns(given, columns);
        expect(averaged.length).toBeLessThanOrEqual(columns);
        const known = given.filter((value) => value !== null);
        for (const value of averaged.filter((one) => one !== null)) {
          expect(value).toBeGreaterThanOrEqual(Math.min(...known) - 1);
          expect(value).toBeLessThanOrEqual(Math.max(...known) + 1);
        }
      }),
    );
  });
});
