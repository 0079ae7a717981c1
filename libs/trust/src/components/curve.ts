/** A line through points, as data that can be published beside the score it makes. */
export interface Curve {
  /** Ascending in x. Beyond the ends the value stays what it is at the end. */
  readonly points: readonly (readonly [x: number, y: number])[];
  /** `log`: straight between points on a logarithmic x axis, so every point's x is above zero. */
  readonly scale: 'linear' | 'log';
  /** Below the first point the value falls to 0 at 0 in proportion to x, instead of staying. */
  readonly fromZero?: true;
}

/** The value of a curve at x. */
export function valueAt(curve: Curve, x: number): number {
  const { points, scale, fromZero } = curve;
  const [first] = points;
  if (first === undefined) return 0;
  if (x <= first[0]) return fromZero === true ? (first[1] * Math.max(0, x)) / first[0] : first[1];
  let before = first;
  for (const point of points) {
    if (x < point[0])
      return between(
        before,
        point,
        scale === 'log' ? logShare(before[0], point[0], x) : share(before[0], point[0], x),
      );
    before = point;
  }
  return before[1];
}

function between(from: readonly [number, number], to: readonly [number, number], at: number): number {
  return from[1] + (to[1] - from[1]) * at;
}

function share(from: number, to: number, x: number): number {
  return (x - from) / (to - from);
}

function logShare(from: number, to: number, x: number): number {
  return Math.log10(x / from) / Math.log10(to / from);
}
