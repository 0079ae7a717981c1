/** A curve through points. It is published as data together with the score. */
export interface Curve {
  /** Points in ascending order of x. Outside their range the curve keeps the value of the nearest point. */
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Interpolation between points: linear, or linear on a logarithmic x axis, in which case every x is above zero. */
  readonly scale: 'linear' | 'log';
  /** Below the first point the value falls linearly to 0 at x = 0 instead of keeping the first value. */
  readonly fromZero?: true;
}

/** Curves of the components. */
export const CURVES = {
  /** Share of scored probes that were up. */
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
  /** Days since first seen. */
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
  /** US dollars settled in 30 days. A volume below one dollar counts proportionally: half a dollar gives 0.05. */
  volume: {
    scale: 'log',
    fromZero: true,
    points: [
      [1, 0.1],
      [10_000, 1],
    ],
  },
  /** Distinct payers in 30 days. */
  payers: {
    scale: 'log',
    fromZero: true,
    points: [
      [1, 0.1],
      [100, 1],
    ],
  },
  /** Median time to first byte, milliseconds. */
  latencyP50: {
    scale: 'log',
    points: [
      [200, 1],
      [5_000, 0],
    ],
  },
  /** 95th percentile of time to first byte, milliseconds. */
  latencyP95: {
    scale: 'log',
    points: [
      [500, 1],
      [10_000, 0],
    ],
  },
} as const satisfies Record<string, Curve>;

/** Returns the value of a curve at x. */
export function evaluateCurve(curve: Curve, x: number): number {
  const { points, scale, fromZero } = curve;
  const [first] = points;
  if (first === undefined) return 0;
  if (x <= first[0]) return fromZero === true ? (first[1] * Math.max(0, x)) / first[0] : first[1];
  let before = first;
  for (const point of points) {
    if (x < point[0]) {
      const toPosition = scale === 'log' ? toLogPosition : toLinearPosition;
      return interpolate(before, point, toPosition(before[0], point[0], x));
    }
    before = point;
  }
  return before[1];
}

function interpolate(
  from: readonly [number, number],
  to: readonly [number, number],
  position: number,
): number {
  return from[1] + (to[1] - from[1]) * position;
}

/** Returns the position of x between two bounds, 0..1. */
function toLinearPosition(from: number, to: number, x: number): number {
  return (x - from) / (to - from);
}

function toLogPosition(from: number, to: number, x: number): number {
  return Math.log10(x / from) / Math.log10(to / from);
}
