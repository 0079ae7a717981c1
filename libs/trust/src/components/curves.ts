/** Curve through fixed points that converts a measured figure to a value. The points are published with the score. */
export interface Curve {
  /**
   * Points in ascending order of x. Outside the range of the points, the curve keeps the value of the nearest point.
   */
  readonly points: readonly (readonly [x: number, y: number])[];
  /**
   * Interpolation between two points: linear in x, or linear in the logarithm of x. `log` requires every x to be above
   * zero.
   */
  readonly scale: 'linear' | 'log';
  /**
   * If true, the value falls linearly from the first point to 0 at x = 0. Otherwise the value left of the first point
   * equals the value of the first point.
   */
  readonly fromZero?: true;
}

/** Curves that convert figures to component values. */
export const CURVES = {
  /** Uptime value by the share of scored probes that succeeded. */
  uptime: {
    scale: 'linear',
    points: [
      [0.5, 0],
      [0.9, 0.4],
      [0.95, 0.6],
      [0.99, 0.85],
      [0.999, 0.97],
      [1, 1],
    ],
  },
  /** Age value by the number of days since the endpoint was first seen. */
  age: {
    scale: 'linear',
    points: [
      [0, 0],
      [7, 0.4],
      [30, 0.7],
      [90, 0.9],
      [180, 1],
    ],
  },
  /**
   * Volume value by the US dollars settled in the last 30 days. Below one dollar the value is proportional: half a
   * dollar gives 0.05.
   */
  volume: {
    scale: 'log',
    fromZero: true,
    points: [
      [1, 0.1],
      [10_000, 1],
    ],
  },
  /** Payer value by the number of distinct payers in the last 30 days. */
  payers: {
    scale: 'log',
    fromZero: true,
    points: [
      [1, 0.1],
      [100, 1],
    ],
  },
  /** Latency value by the median time to the last byte, in milliseconds. */
  latencyP50: {
    scale: 'log',
    points: [
      [200, 1],
      [5_000, 0],
    ],
  },
  /** Latency value by the 95th percentile of the time to the last byte, in milliseconds. */
  latencyP95: {
    scale: 'log',
    points: [
      [500, 1],
      [10_000, 0],
    ],
  },
} as const satisfies Record<string, Curve>;

/**
 * Returns the value of a curve at x. Before the first point, the value is the value of the first point, or falls to 0
 * at x = 0 if `fromZero` is true. After the last point, the value is the value of the last point.
 */
export function evaluateCurve(curve: Curve, x: number): number {
  const { points, scale, fromZero } = curve;
  const [first] = points;
  if (first === undefined) return 0;
  if (x <= first[0]) return fromZero === true ? (first[1] * Math.max(0, x)) / first[0] : first[1];
  let before = first;
  for (const point of points) {
    if (x < point[0]) {
      const [[fromX, fromY], [toX, toY]] = [before, point];
      const position =
        scale === 'log' ? Math.log10(x / fromX) / Math.log10(toX / fromX) : (x - fromX) / (toX - fromX);
      return fromY + (toY - fromY) * position;
    }
    before = point;
  }
  return before[1];
}
