import type { Curve } from './curve.ts';

/** Every curve the components are computed with. */
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
  /** US dollars settled in 30 days. A volume below one dollar counts in proportion: half a dollar is 0.05. */
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
