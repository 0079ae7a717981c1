import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { GradeDistribution, WeightBar } from './bars.tsx';

describe('GradeDistribution', () => {
  const none = { A: 0, B: 0, C: 0, D: 0, F: 0, '?': 0 };

  it('contains count and share of each grade as text', () => {
    const counts = { ...none, A: 1500, B: 500 };
    const html = renderToStaticMarkup(
      <GradeDistribution noun="endpoint" counts={counts} probedUpTo="2026-03-04T12:34:56.000Z" />,
    );
    const time = 'dateTime="2026-03-04T12:34:56.000Z"';
    for (const text of ['Grades of 2,000 endpoints', time, '75.0 %', '1,500']) expect(html).toContain(text);
    expect(html).toMatch(/<rect width="100"[^>]*fill-gold.*<rect width="33.3\d*"[^>]*fill-silver/);
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

it('WeightBar is as long as the weight, from 0 to 100', () => {
  expect(renderToStaticMarkup(<WeightBar weight={30} />)).toContain('<rect width="30"');
  expect(renderToStaticMarkup(<WeightBar weight={300} />)).toMatch(/(<rect width="100".*){2}/);
  expect(renderToStaticMarkup(<WeightBar weight={-1} />)).toContain('<rect width="0"');
});
