import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { BandDays } from './band-days.tsx';
import { DayLine } from './day-line.tsx';
import { StackedDays } from './stacked-days.tsx';
import { UptimeStrip } from './uptime-strip.tsx';

const MILLISECONDS = (value: number): string => `${value} ms`;

const strip = renderToStaticMarkup(
  <UptimeStrip
    days={[
      { day: '2026-03-01', uptime: null, probes: 0 },
      { day: '2026-03-02', uptime: 100, probes: 48 },
      { day: '2026-03-03', uptime: 97.9166, probes: 48 },
      { day: '2026-03-04', uptime: 0, probes: 1 },
    ]}
  />,
);
const line = renderToStaticMarkup(
  <DayLine
    label="Latency"
    format={MILLISECONDS}
    days={[
      { day: '2026-03-01', value: 300 },
      { day: '2026-03-02', value: null },
      { day: '2026-03-03', value: 500 },
      { day: '2026-03-04', value: 400 },
    ]}
  />,
);
const stacked = renderToStaticMarkup(
  <StackedDays
    label="Grades"
    series={[
      { id: 'A', label: 'Grade A', className: 'fill-gold', letter: 'A' },
      { id: 'B', label: 'Grade B', className: 'fill-silver', letter: 'B' },
    ]}
    days={[
      { day: '2026-03-03', values: {} },
      { day: '2026-03-04', values: { A: 1500, B: 500 } },
    ]}
  />,
);
const band = renderToStaticMarkup(
  <BandDays
    label="Price"
    names={{ low: 'low', middle: 'median', high: 'high' }}
    format={(value) => `$${value}`}
    days={[
      { day: '2026-03-03', band: null },
      { day: '2026-03-04', band: { low: 0.01, middle: 0.02, high: 0.1 } },
    ]}
  />,
);

describe('UptimeStrip', () => {
  it('has exactly one bar per day, with its figures', () => {
    expect([...strip.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title)).toEqual([
      '2026-03-01: none scored',
      '2026-03-02: 100 % of 48 scored probes succeeded',
      '2026-03-03: 97.9 % of 48 scored probes succeeded',
      '2026-03-04: 0 % of 1 scored probe succeeded',
    ]);
  });

  it('shows failures as lines at the top, successes as boxes and missing days as outlines', () => {
    const [missing, up, failed] = [...strip.matchAll(/<path d="([^"]*)"/g)].map(([, path]) => path ?? '');
    expect(missing?.match(/z/g)).toHaveLength(1);
    expect(up?.match(/z/g)).toHaveLength(2);
    expect(failed?.match(/M/g)).toHaveLength(1 + 12);
  });

  it('has a summary for screen readers', () => {
    expect(strip).toContain(
      'aria-label="Daily uptime, 4 days (UTC). 3 of 4 days have scored probes, 1 of them without a failed probe. Lowest: 0 % on 2026-03-04."',
    );
  });

  it('says that no probe was scored', () => {
    const empty = renderToStaticMarkup(
      <UptimeStrip days={[{ day: '2026-03-01', uptime: null, probes: 0 }]} />,
    );
    expect(empty).toContain('Daily uptime, 1 day (UTC). No probe was scored.');
  });
});

describe('DayLine', () => {
  it('shows the latest, lowest and highest value as text', () => {
    expect(line).toContain(
      'aria-label="Latency. Latest 400 ms on 2026-03-04, lowest 300 ms on 2026-03-01, highest 500 ms on 2026-03-03."',
    );
    expect(line).toMatch(/lowest<\/dt><dd>300 ms.*highest<\/dt><dd>500 ms.*scale<\/dt><dd>from 0</);
    expect(line).toMatch(
      /<figcaption.*Latency<\/span> <span[^>]*>latest <span[^>]*>400 ms<\/span> \(2026-03-04\)/,
    );
  });

  it('names the day of the latest value and a scale with a maximum', () => {
    const old = renderToStaticMarkup(
      <DayLine
        label="Reachable"
        format={(value) => `${value}%`}
        maximum={100}
        days={[
          { day: '2026-03-01', value: 89 },
          { day: '2026-03-02', value: null },
        ]}
      />,
    );
    expect(old).toContain('89%</span> (2026-03-01)');
    expect(old).toContain('scale</dt><dd>0 to 100%');
  });

  it('shows no drawing without data', () => {
    const empty = renderToStaticMarkup(
      <DayLine label="Latency" format={MILLISECONDS} days={[{ day: '2026-03-01', value: null }]} />,
    );
    expect(empty).toContain('No data in this period.');
    expect(empty).not.toMatch(/<svg|<table|NaN|Infinity/);
  });

  it('says that a value did not change', () => {
    const constant = renderToStaticMarkup(
      <DayLine label="Latency" format={MILLISECONDS} days={[{ day: '2026-03-01', value: 5 }]} />,
    );
    expect(constant).toContain('unchanged</dt><dd>5 ms');
    expect(constant).not.toContain('lowest</dt>');
  });
});

describe('StackedDays', () => {
  it('has a legend in the order of the bars with the latest figures', () => {
    expect(stacked).toMatch(/Grade A<\/dt><dd[^>]*>1,500 \(75 %\).*Grade B<\/dt><dd[^>]*>500 \(25 %\)/);
  });

  it('fills neighboring series with different textures', () => {
    const heights = [...stacked.matchAll(/<pattern.*?<rect width="8" height="([\d.]+)"/g)].map(
      ([, height]) => height,
    );
    expect(new Set(heights).size).toBe(2);
  });

  it('says that a day has no data', () => {
    expect(stacked).toMatch(/stroke-dasharray="2 2"/);
    expect(stacked).toContain('<title>2026-03-04, Grade A: 1,500 (75 %)</title>');
    expect(stacked).not.toContain('<title>2026-03-03');
    const empty = renderToStaticMarkup(
      <StackedDays label="Grades" series={[{ id: 'A', label: 'A', className: '' }]} days={[]} />,
    );
    expect(empty).toContain('Grades. No data.');
  });
});

describe('BandDays', () => {
  it('shows the names of the values and marks a single day', () => {
    expect(band).toContain('Price. Latest on 2026-03-04: low $0.01, median $0.02, high $0.1.');
    expect(band).toContain('Price, logarithmic');
    expect(band).not.toMatch(/NaN|Infinity/);
  });

  it('has a column that is wide enough for its longest label', () => {
    const micro = renderToStaticMarkup(
      <BandDays
        label="Price"
        names={{ low: 'low', middle: 'median', high: 'high' }}
        format={(value) => `$${value.toFixed(6)}`}
        days={[{ day: '2026-03-04', band: { low: 0.00001, middle: 0.0001, high: 0.001 } }]}
      />,
    );
    const [, width] = /viewBox="0 0 (\d+) 192" class="h-48 w-auto/.exec(micro) ?? [];
    expect(micro).toContain('>$0.000010</text>');
    expect(Number(width)).toBeGreaterThanOrEqual('$0.000010'.length * 7);
  });
});

describe('every chart over days', () => {
  it.each([
    ['UptimeStrip', strip],
    ['DayLine', line],
    ['StackedDays', stacked],
    ['BandDays', band],
  ])('%s has a table with a row per day, newest first', (_, html) => {
    const headings = [...html.matchAll(/<th scope="row"[^>]*>([^<]*)/g)].map(([, day]) => day);
    expect(headings.length).toBeGreaterThan(1);
    expect(headings).toEqual([...headings].sort().reverse());
    expect(headings[0]).toBe('2026-03-04');
    expect(html).toMatch(/<td>(no data|none scored)<\/td>/);
  });
});
