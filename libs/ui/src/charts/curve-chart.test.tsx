import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { CHART, CurveChart, type PublishedCurve, layOutCurve, toY } from './curve-chart.tsx';

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

  it('has a table of every point', () => {
    expect(html).toMatch(
      /<tr><td[^>]*>1<\/td><td[^>]*>0\.1<\/td><\/tr><tr><td[^>]*>100<\/td><td[^>]*>1<\/td>/,
    );
  });
});

const curves: fc.Arbitrary<PublishedCurve> = fc
  .record({
    xs: fc.uniqueArray(fc.integer({ min: 1, max: 100_000 }), { minLength: 2, maxLength: 8 }),
    ys: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
    scale: fc.constantFrom('linear' as const, 'log' as const),
    fromZero: fc.boolean(),
  })
  .map(({ xs, ys, scale, fromZero }) => ({
    scale,
    points: xs.sort((one, other) => one - other).map((x, index) => [x, ys[index] ?? 0] as const),
    ...(fromZero && scale === 'log' ? { fromZero: true as const } : {}),
  }));

describe('the layout of a curve', () => {
  it('draws the line inside the plot area, from left to right, through every point', () => {
    fc.assert(
      fc.property(curves, (curve) => {
        const { path, dots } = layOutCurve(curve, String);
        const points = [...path.matchAll(/[ML]([-\d.]+) ([-\d.]+)/g)].map(([, x, y]) => [
          Number(x),
          Number(y),
        ]);
        const xs = points.map(([x]) => x ?? NaN);
        expect(xs).toEqual([...xs].sort((one, other) => one - other));
        expect(Math.min(...xs)).toBeGreaterThanOrEqual(CHART.left);
        expect(Math.max(...xs)).toBeLessThanOrEqual(CHART.right);
        expect(dots).toHaveLength(curve.points.length);
        for (const { x, y } of dots) expect(points).toContainEqual([x, y]);
        for (const [index, [, value]] of curve.points.entries()) {
          expect(dots[index]?.y).toBeCloseTo(toY(value), 0);
        }
      }),
    );
  });

  it('labels both ends without overlapping labels', () => {
    const { ticks } = layOutCurve(
      {
        scale: 'linear',
        points: [0.5, 0.99, 0.999, 1].map((x) => [x, x] as const),
      },
      (x) => `${String(x * 100)} %`,
    );
    expect(ticks.map(({ label }) => label)).toEqual(['50 %', '100 %']);
  });

  it('puts decades of a logarithmic axis at equal distances', () => {
    const { dots } = layOutCurve(
      {
        scale: 'log',
        points: [10, 100, 1000].map((x, at) => [x, at / 2] as const),
      },
      String,
    );
    const [one, two, three] = dots.map(({ x }) => x);
    expect((two ?? 0) - (one ?? 0)).toBeCloseTo((three ?? 0) - (two ?? 0), 0);
  });
});
