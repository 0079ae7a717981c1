import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { BarList, GradeDistribution, StreakBar, WeightBar, drawScratches } from './bars.tsx';

/** Returns the x coordinates at which the horizontal lines of an SVG path end. */
const listEnds = (path: string): number[] => [...path.matchAll(/H([\d.]+)/g)].map(([, end]) => Number(end));

describe('BarList', () => {
  it('shows each value as text, with the longest bar for the highest value', () => {
    const items = [
      { label: 'timeout', value: 40, note: 'down' },
      { label: 'redirect', value: 10 },
    ];
    const html = renderToStaticMarkup(<BarList format={(value) => `${value} endpoints`} items={items} />);
    expect(html).toMatch(/timeout.*down.*40 endpoints.*redirect.*10 endpoints/);
    const [first = 0, second = 0] = html
      .split('<li')
      .slice(1)
      .map((item) => Math.max(...listEnds(item)));
    expect(first).toBeGreaterThan(90);
    expect(second).toBeLessThanOrEqual(25);
  });

  it('handles values of zero', () => {
    const html = renderToStaticMarkup(<BarList format={String} items={[{ label: 'timeout', value: 0 }]} />);
    expect(html).not.toMatch(/NaN|Infinity/);
  });
});

describe('GradeDistribution', () => {
  const none = { A: 0, B: 0, C: 0, D: 0, F: 0, '?': 0 };

  it('contains count and share of each grade as text', () => {
    const counts = { ...none, A: 1500, B: 500 };
    const html = renderToStaticMarkup(
      <GradeDistribution noun="endpoint" counts={counts} probedUpTo="2026-03-04T12:34:56.000Z" />,
    );
    const time = 'dateTime="2026-03-04T12:34:56.000Z"';
    for (const text of ['Grades of 2,000 endpoints', time, '75 %', '1,500']) expect(html).toContain(text);
    expect(html.match(/scope="row"/g)).toHaveLength(6);
  });

  it('links the count of each grade that an endpoint has', () => {
    const toHref = (grade: string) => `/list?grade=${grade}`;
    const html = renderToStaticMarkup(
      <GradeDistribution noun="endpoint" counts={{ ...none, B: 5 }} probedUpTo={null} toHref={toHref} />,
    );
    expect(html.match(/<a href="[^"]*"[^>]*>[^<]*/g)).toEqual([
      expect.stringMatching(/^<a href="\/list\?grade=B"[^>]*>5$/),
    ]);
  });

  it('handles zero endpoints', () => {
    const html = renderToStaticMarkup(<GradeDistribution noun="endpoint" counts={none} probedUpTo={null} />);
    expect(html).not.toMatch(/NaN|Infinity|last probe/);
  });
});

describe('StreakBar', () => {
  it('has the same lines inside the drawing for the same value, which they nearly reach', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -10, max: 110, noNaN: true }),
        fc.constantFrom(0, 1, 2),
        (length, grain: 0 | 1 | 2) => {
          const reach = Math.min(100, Math.max(0, length));
          const path = drawScratches(length, grain);
          expect(drawScratches(length, grain)).toBe(path);
          for (const end of listEnds(path)) {
            expect(end).toBeGreaterThanOrEqual(0);
            expect(end).toBeLessThanOrEqual(reach + 0.05);
          }
        },
      ),
    );
    expect(Math.max(...listEnds(drawScratches(80, 0)))).toBeGreaterThan(76);
  });

  it('is hidden from screen readers', () => {
    expect(renderToStaticMarkup(<StreakBar length={50} className="stroke-gold" />)).toContain(
      'aria-hidden="true"',
    );
  });
});

it('WeightBar is as long as the weight, from 0 to 100', () => {
  expect(renderToStaticMarkup(<WeightBar weight={30} />)).toContain('<rect width="30"');
  expect(renderToStaticMarkup(<WeightBar weight={300} />)).toMatch(/(<rect width="100".*){2}/);
  expect(renderToStaticMarkup(<WeightBar weight={-1} />)).toContain('<rect width="0"');
});
