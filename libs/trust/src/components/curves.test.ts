import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CURVES, evaluateCurve, type Curve } from './curves.ts';

test.each<[keyof typeof CURVES, number, number]>([
  ['uptime', 0.5, 0],
  ['uptime', 0.7, 0.2],
  ['uptime', 0.9, 0.4],
  ['uptime', 0.95, 0.6],
  ['uptime', 0.99, 0.85],
  ['uptime', 0.999, 0.97],
  ['uptime', 1, 1],
  ['age', 0, 0],
  ['age', 3.5, 0.2],
  ['age', 7, 0.4],
  ['age', 30, 0.7],
  ['age', 180, 1],
  ['volume', 0, 0],
  ['volume', 1, 0.1],
  ['volume', 100, 0.55],
  ['volume', 10_000, 1],
  ['payers', 0, 0],
  ['payers', 1, 0.1],
  ['payers', 10, 0.55],
  ['payers', 100, 1],
  ['latencyP50', 200, 1],
  ['latencyP50', 1_000, 0.5],
  ['latencyP50', 5_000, 0],
  ['latencyP95', 500, 1],
  ['latencyP95', 10_000, 0],
])('%s at %d is %d', (name, x, y) => {
  expect(evaluateCurve(CURVES[name], x)).toBeCloseTo(y, 9);
});

test('the 95th percentile curve is 0.5 at the geometric mean of its ends', () => {
  expect(evaluateCurve(CURVES.latencyP95, Math.sqrt(500 * 10_000))).toBeCloseTo(0.5, 9);
});

test('every curve is monotonic and stays in 0..1', () => {
  const curves: readonly Curve[] = Object.values(CURVES);
  fc.assert(
    fc.property(
      fc.constantFrom(...curves),
      fc.double({ min: 0, max: 2e4, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (curve, x, step) => {
        const one = evaluateCurve(curve, x);
        const next = evaluateCurve(curve, x + step);
        const rises = (curve.points.at(-1)?.[1] ?? 0) === 1;
        expect(one).toBeGreaterThanOrEqual(0);
        expect(one).toBeLessThanOrEqual(1);
        expect(rises ? next - one : one - next).toBeGreaterThanOrEqual(-1e-12);
      },
    ),
  );
});
