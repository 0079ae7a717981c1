import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { GradeDistribution } from './grade-distribution.tsx';

describe('GradeDistribution', () => {
  it('contains count and share of each grade as text', () => {
    const html = renderToStaticMarkup(
      <GradeDistribution
        counts={{ A: 1500, B: 500, C: 0, D: 0, F: 0, '?': 0 }}
        probedUpTo="2026-03-04T12:34:56.000Z"
      />,
    );
    expect(html).toContain('Grades of 2,000 endpoints');
    expect(html).toContain('dateTime="2026-03-04T12:34:56.000Z"');
    expect(html).toContain('75.0%');
    expect(html).toContain('1,500');
    expect(html.match(/scope="row"/g)).toHaveLength(6);
  });

  it('handles zero endpoints', () => {
    const html = renderToStaticMarkup(
      <GradeDistribution counts={{ A: 0, B: 0, C: 0, D: 0, F: 0, '?': 0 }} probedUpTo={null} />,
    );
    expect(html).not.toMatch(/NaN|Infinity|last probe/);
  });
});
