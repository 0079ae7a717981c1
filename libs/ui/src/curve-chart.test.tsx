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
  it('tells in its name what can be seen in it', () => {
    expect(html).toContain('role="img" aria-label="Payers: 1 gives 0.1, 100 gives 1"');
    expect(html).toContain('Distinct payers, logarithmic');
  });

  it('has a table of every point, and says what lies beyond', () => {
    expect(html).toMatch(
      /<tr><td[^>]*>1<\/td><td[^>]*>0\.1<\/td><\/tr><tr><td[^>]*>100<\/td><td[^>]*>1<\/td>/,
    );
    expect(html).toContain('to 0 at 0');
  });

  it('needs no inline style, which the policy of the site forbids', () => {
    expect(html).not.toContain('style=');
  });
});
