/** A line through points, as a formula publishes it. */
export interface PublishedCurve {
  /** Ascending in x; y is 0 to 1. Beyond the ends the value stays what it is at the end. */
  readonly points: readonly (readonly [x: number, y: number])[];
  /** `log`: straight between the points on a logarithmic axis, where x is above zero. */
  readonly scale: 'linear' | 'log';
  /** Below the first point the value falls to 0 at 0 in proportion to x. */
  readonly fromZero?: true;
}

/** A place in the drawing; y grows downwards. */
interface Place {
  readonly x: number;
  readonly y: number;
}

export interface CurveLayout {
  /** The line as the `d` of an SVG path. */
  readonly path: string;
  /** Where the points of the curve lie. */
  readonly dots: readonly Place[];
  /** Values of the x axis that have room for a label. */
  readonly ticks: readonly { readonly x: number; readonly label: string }[];
}

/** The drawing is this large, and the curve stands inside of these edges. */
export const CHART = { width: 340, height: 190, left: 34, right: 322, top: 14, bottom: 146 } as const;

/** Width of a character of a label, and the room between two labels, in units of the drawing. */
const CHARACTER = 6.6;
const GAP = 10;
/** Pieces in which the part below the first point, which bends on a logarithmic axis, is drawn. */
const PIECES = 12;

/**
 * Where everything of a curve goes in its drawing. A curve is straight between its points on its own axis, so a line
 * through them is the curve itself and no approximation.
 *
 * @param formatX A value of the x axis in words, unit included where it is short.
 */
export function layOutCurve(curve: PublishedCurve, formatX: (x: number) => string): CurveLayout {
  const [from, to] = domainOf(curve);
  const place = (x: number, y: number): Place => ({
    x: round(CHART.left + (CHART.right - CHART.left) * shareOf(curve.scale, from, to)(x)),
    y: round(placeOfValue(y)),
  });
  const dots = curve.points.map(([x, y]) => place(x, y));
  const line = [...before(curve, from).map(([x, y]) => place(x, y)), ...dots];
  const last = curve.points.at(-1);
  if (last !== undefined) line.push(place(to, last[1]));
  return {
    path: line.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${String(x)} ${String(y)}`).join(''),
    dots,
    ticks: withRoom(curve.points.map(([x], index) => ({ x: dots[index]?.x ?? 0, label: formatX(x) }))),
  };
}

/** Where a value of 0 to 1 lies, from the top of the drawing. */
export function placeOfValue(value: number): number {
  return CHART.bottom - (CHART.bottom - CHART.top) * value;
}

/** Shows a little of what lies beyond the points, where there is anything. */
function domainOf({ points, scale, fromZero }: PublishedCurve): [from: number, to: number] {
  const first = points[0]?.[0] ?? 0;
  const last = points.at(-1)?.[0] ?? 1;
  return scale === 'linear' ? [first, last] : [first / (fromZero === true ? 10 : 2), last * 2];
}

function shareOf(scale: PublishedCurve['scale'], from: number, to: number): (x: number) => number {
  return scale === 'linear'
    ? (x) => (x - from) / (to - from)
    : (x) => Math.log(x / from) / Math.log(to / from);
}

/** What lies left of the first point. */
function before({ points, fromZero }: PublishedCurve, from: number): [x: number, y: number][] {
  const [first] = points;
  if (first === undefined) return [];
  const [x, y] = first;
  if (fromZero !== true) return [[from, y]];
  return Array.from({ length: PIECES }, (_, piece) => {
    const at = from * (x / from) ** (piece / PIECES);
    return [at, (y * at) / x];
  });
}

/** The ends of the axis come first, then whatever fits between them. */
function withRoom(ticks: readonly { x: number; label: string }[]): { x: number; label: string }[] {
  const kept: { x: number; label: string }[] = [];
  const [first, ...rest] = ticks;
  const last = rest.pop();
  for (const tick of [first, last, ...rest]) {
    if (tick !== undefined && kept.every((other) => isApart(tick, other))) kept.push(tick);
  }
  return kept.sort((one, other) => one.x - other.x);
}

function isApart(one: { x: number; label: string }, other: { x: number; label: string }): boolean {
  return Math.abs(one.x - other.x) >= ((one.label.length + other.label.length) / 2) * CHARACTER + GAP;
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
