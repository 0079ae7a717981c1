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
    title="Latency"
    yLabel="Milliseconds"
    format={MILLISECONDS}
    formatTick={String}
    lines={[
      {
        label: 'p50',
        days: [
          { day: '2026-03-01', value: 300 },
          { day: '2026-03-02', value: null },
          { day: '2026-03-03', value: 500 },
          { day: '2026-03-04', value: 400 },
        ],
      },
      {
        label: 'p95',
        days: [
          { day: '2026-03-01', value: 900 },
          { day: '2026-03-02', value: null },
          { day: '2026-03-03', value: 800 },
          { day: '2026-03-04', value: null },
        ],
      },
    ]}
  />,
);
const stacked = renderToStaticMarkup(
  <StackedDays
    title="Grades"
    yLabel="Share of endpoints"
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
    title="Price"
    yLabel="US dollars"
    names={{ low: 'low', middle: 'median', high: 'high' }}
    format={(value) => `$${value}`}
    days={[
      { day: '2026-03-03', band: null },
      { day: '2026-03-04', band: { low: 0.01, middle: 0.02, high: 0.1 } },
    ]}
  />,
);

describe('UptimeStrip', () => {
  it('shows the uptime and the number of scored probes of the latest day', () => {
    expect(strip).toMatch(/2026-03-04<\/p>.*Uptime<\/dt><dd[^>]*>0 %<.*Scored probes<\/dt><dd[^>]*>1</);
  });

  it('shows failures and successes as boxes of different colors, and missing days as outlines', () => {
    const [missing, up, failed] = [...strip.matchAll(/<path d="([^"]*)"/g)].map(([, path]) => path ?? '');
    expect(missing?.match(/z/g)).toHaveLength(1);
    expect(up?.match(/z/g)).toHaveLength(2);
    expect(failed).toMatch(/^M[\d.]+ 0h[\d.]+v4h.*M[\d.]+ 0h[\d.]+v48h/);
  });

  it('has a summary for screen readers', () => {
    expect(strip).toContain(
      'aria-label="Daily uptime, Share of scored probes that succeeded. 3 of 4 days have scored probes, 1 of them without a failed probe. Lowest: 0 % on 2026-03-04."',
    );
  });

  it('says that no probe was scored', () => {
    const empty = renderToStaticMarkup(
      <UptimeStrip days={[{ day: '2026-03-01', uptime: null, probes: 0 }]} />,
    );
    expect(empty).toContain('that succeeded. No probe was scored.');
  });
});

describe('DayLine', () => {
  it('summarizes each line for screen readers', () => {
    expect(line).toContain(
      'aria-label="Latency, Milliseconds. p50: latest 400 ms on 2026-03-04, lowest 300 ms on 2026-03-01, highest 500 ms on 2026-03-03. p95: latest 800 ms on 2026-03-03, lowest 800 ms on 2026-03-03, highest 900 ms on 2026-03-01."',
    );
  });

  it('has a legend with the figures of the latest day', () => {
    expect(line).toMatch(
      /data-chart-day[^>]*>2026-03-04<.*p50<\/dt><dd[^>]*>400 ms<.*p95<\/dt><dd[^>]*>no data</,
    );
  });

  it('distinguishes the lines without color', () => {
    expect(line.match(/<path d="M[^"]*" class="fill-transparent[^"]*"[^>]*>/g)).toEqual([
      expect.not.stringContaining('dasharray'),
      expect.stringContaining('stroke-dasharray="5 3"'),
    ]);
  });

  it('shows an empty chart without data', () => {
    const lines = [{ label: 'p50', days: [{ day: '2026-03-01', value: null }] }];
    const empty = renderToStaticMarkup(
      <DayLine title="Latency" yLabel="Milliseconds" format={MILLISECONDS} lines={lines} />,
    );
    expect(empty).toContain('p50: no data.');
    // A drawing for the labels of the y axis would have no width, and browsers would give it 300 pixels.
    expect(empty).not.toContain('viewBox="0 0 0 ');
    expect(empty).not.toMatch(/NaN|Infinity/);
  });
});

describe('StackedDays', () => {
  it('has a legend in the order of the bars with the latest figures', () => {
    expect(stacked).toMatch(/Grade A<\/dt><dd[^>]*>1,500 \(75.0 %\).*Grade B<\/dt><dd[^>]*>500 \(25.0 %\)/);
  });

  it('says that a day has no data', () => {
    expect(stacked).toMatch(/stroke-dasharray="2 2"/);
    expect(stacked).toMatch(/2026-03-03<\/th><td>no data<\/td><td>no data</);
    const empty = renderToStaticMarkup(
      <StackedDays
        title="Grades"
        yLabel="Share"
        series={[{ id: 'A', label: 'A', className: '' }]}
        days={[]}
      />,
    );
    expect(empty).toContain('Grades, Share. No data.');
  });
});

describe('BandDays', () => {
  it('shows the names of the values and marks a single day', () => {
    expect(band).toContain(
      'Price, US dollars, logarithmic. Latest on 2026-03-04: low $0.01, median $0.02, high $0.1.',
    );
    expect(band).toContain('>US dollars, logarithmic<');
    expect(band).not.toMatch(/NaN|Infinity/);
  });

  it('has a column that is wide enough for its longest label', () => {
    const micro = renderToStaticMarkup(
      <BandDays
        title="Price"
        yLabel="US dollars"
        names={{ low: 'low', middle: 'median', high: 'high' }}
        format={(value) => `$${value.toFixed(6)}`}
        days={[{ day: '2026-03-04', band: { low: 0.00001, middle: 0.0001, high: 0.001 } }]}
      />,
    );
    const [, width] = /viewBox="0 0 (\d+) 192" class="w-auto shrink-0[^"]*h-48/.exec(micro) ?? [];
    expect(micro).toContain('>$0.000010</text>');
    expect(Number(width)).toBeGreaterThanOrEqual('$0.000010'.length * 7);
  });
});

describe('every chart over days', () => {
  it.each([
    ['UptimeStrip', strip, ['Share of scored probes that succeeded', '0 %', '100 %']],
    ['DayLine', line, ['Milliseconds', '0', '500', '1000']],
    ['StackedDays', stacked, ['Share of endpoints', '0 %', '50 %', '100 %']],
    ['BandDays', band, ['US dollars, logarithmic', '$0.01', '$0.02', '$0.05', '$0.1']],
  ])('%s labels both axes', (_, html, [yLabel = '', ...ticks]) => {
    expect(html).toContain(`>${yLabel}<`);
    expect(html).toContain('>Day (UTC)<');
    const labels = [...html.matchAll(/text-anchor="end"[^>]*>([^<]*)/g)];
    expect(labels.map(([, label]) => label)).toEqual(ticks);
  });

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
