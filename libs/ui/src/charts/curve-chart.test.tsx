import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { CurveChart } from './curve-chart.tsx';

const html = renderToStaticMarkup(
  <CurveChart
    title="Payers"
    curve={{
      scale: 'log',
      fromZero: true,
      points: [
        [1, 0.1],
        [100, 1],
      ],
    }}
    xLabel="Distinct payers"
    formatX={String}
  />,
);

describe('CurveChart', () => {
  it('has an accessible name with all points', () => {
    expect(html).toContain('role="img" aria-label="Payers: 1 gives 0.1, 100 gives 1"');
    expect(html).toContain('Distinct payers, logarithmic');
  });

  it('has a table of every point and a note on values outside them', () => {
    expect(html).toMatch(
      /<tr><td[^>]*>1<\/td><td[^>]*>0\.1<\/td><\/tr><tr><td[^>]*>100<\/td><td[^>]*>1<\/td>/,
    );
    expect(html).toContain('to 0 at 0');
  });
});
