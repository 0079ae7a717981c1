import { scaleLinear, scaleLog } from 'd3-scale';

const Y_TICKS = [0, 0.5, 1];

interface CurveProps {
  /** Short name of the curve. */
  readonly title: string;
  readonly curve: PublishedCurve;
  /** Label of the x axis with its unit. */
  readonly xLabel: string;
  /** Formats a value of the x axis. */
  readonly formatX: (x: number) => string;
}

/** Line chart of a curve, with an expandable table of its points. */
export function CurveChart(props: CurveProps) {
  return (
    <figure className="min-w-0 break-inside-avoid">
      <figcaption className="font-semibold">{props.title}</figcaption>
      <div className="mt-2 rounded-sm border border-stone-line bg-stone p-1">
        <Drawing {...props} />
      </div>
      <PointsTable {...props} />
    </figure>
  );
}

function Drawing({ title, curve, xLabel, formatX }: CurveProps) {
  const { path, dots, ticks } = layOutCurve(curve, formatX);
  return (
    <svg
      viewBox={`0 0 ${CHART.width} ${CHART.height}`}
      className="h-auto w-full"
      role="img"
      aria-label={`${title}: ${curve.points.map(([x, y]) => `${formatX(x)} gives ${String(y)}`).join(', ')}`}
    >
      <g className="fill-stone-soft stroke-none" fontSize="12" aria-hidden="true">
        {Y_TICKS.map((value) => (
          <text key={value} x={CHART.left - 6} y={toY(value) + 4} textAnchor="end">
            {value}
          </text>
        ))}
        {/* The last label ends at its tick, so that it stays inside the drawing. */}
        {ticks.map(({ x, label }, index) => (
          <text
            key={label}
            x={x}
            y={CHART.bottom + 18}
            textAnchor={index === ticks.length - 1 ? 'end' : 'middle'}
          >
            {label}
          </text>
        ))}
        <text x={(CHART.left + CHART.right) / 2} y={CHART.height - 8} textAnchor="middle">
          {curve.scale === 'log' ? `${xLabel}, logarithmic` : xLabel}
        </text>
      </g>
      <g className="stroke-stone-line" strokeWidth="1">
        {Y_TICKS.map((value) => (
          <path key={value} d={`M${CHART.left} ${toY(value)}H${CHART.right}`} />
        ))}
      </g>
      <path d={path} className="fill-transparent stroke-gold" strokeWidth="2.25" strokeLinejoin="round" />
      <g className="fill-stone stroke-gold" strokeWidth="1.75">
        {dots.map(({ x, y }) => (
          <circle key={x} cx={x} cy={y} r="3.25" />
        ))}
      </g>
    </svg>
  );
}

function PointsTable({ title, curve: { points }, xLabel, formatX }: CurveProps) {
  return (
    <details className="mt-1 text-sm">
      <summary className="cursor-pointer py-1 text-ink-soft">
        Points<span className="sr-only"> of {title}</span>
      </summary>
      <table className="mt-1 w-full max-w-sm tabular-nums">
        <thead>
          <tr className="text-left text-ink-soft">
            <th scope="col" className="border-b border-edge py-1 pr-4 align-bottom font-normal">
              {xLabel}
            </th>
            <th scope="col" className="border-b border-edge py-1 text-right align-bottom font-normal">
              Value
            </th>
          </tr>
        </thead>
        <tbody>
          {points.map(([x, y]) => (
            <tr key={x}>
              <td className="border-b border-line py-1 pr-4">{formatX(x)}</td>
              <td className="border-b border-line py-1 text-right">{y}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** Curve of the score formula: a line through fixed points. */
export interface PublishedCurve {
  /** Points in ascending order of x, with y from 0 to 1. Outside the range of the points, the value stays constant. */
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Scale of the x axis. On this scale, the line between two points is straight. `log` requires x above zero. */
  readonly scale: 'linear' | 'log';
  /** True if the value below the first point is proportional to x and reaches 0 at x = 0. */
  readonly fromZero?: true;
}

/** Point in the drawing, in SVG units; y grows downwards. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Coordinates of a drawn curve. */
interface CurveLayout {
  /** Line of the curve, as the `d` attribute of an SVG path. */
  readonly path: string;
  /** Points of the curve. */
  readonly dots: readonly Point[];
  /** Labels of the x axis that do not overlap. */
  readonly ticks: readonly { readonly x: number; readonly label: string }[];
}

/** Size of the drawing and edges of the plot area, in SVG units. */
export const CHART = { width: 340, height: 190, left: 34, right: 322, top: 14, bottom: 146 } as const;

/** Average width of a label character, in SVG units. */
const CHARACTER_WIDTH = 6.6;
/** Minimum gap between two labels, in SVG units. */
const MIN_LABEL_GAP = 10;
/**
 * Number of straight segments that draw the curve below its first point. Left of the first point, a proportional curve
 * is bent on a logarithmic axis.
 */
const LEADING_SEGMENTS = 12;

/**
 * Computes the coordinates for drawing a curve. A curve is straight between two points on its own scale, so straight
 * SVG lines draw it exactly.
 *
 * @param formatX Formats a value of the x axis.
 */
export function layOutCurve(curve: PublishedCurve, formatX: (x: number) => string): CurveLayout {
  const [from, to] = getDomain(curve);
  const toX = (curve.scale === 'log' ? scaleLog : scaleLinear)([from, to], [CHART.left, CHART.right]);
  const toPoint = (x: number, y: number): Point => ({
    x: round(toX(x)),
    y: round(toY(y)),
  });
  const dots = curve.points.map(([x, y]) => toPoint(x, y));
  const line = [...listLeadingPoints(curve, from).map(([x, y]) => toPoint(x, y)), ...dots];
  const last = curve.points.at(-1);
  if (last !== undefined) line.push(toPoint(to, last[1]));
  return {
    path: line.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${String(x)} ${String(y)}`).join(''),
    dots,
    ticks: selectTicks(curve.points.map(([x], index) => ({ x: dots[index]?.x ?? 0, label: formatX(x) }))),
  };
}

/** Returns the y coordinate of a value from 0 to 1. */
export function toY(value: number): number {
  return CHART.bottom - (CHART.bottom - CHART.top) * value;
}

/** Returns the range of the x axis. A logarithmic axis extends a little beyond the points. */
function getDomain({ points, scale, fromZero }: PublishedCurve): [from: number, to: number] {
  const first = points[0]?.[0] ?? 0;
  const last = points.at(-1)?.[0] ?? 1;
  return scale === 'linear' ? [first, last] : [first / (fromZero === true ? 10 : 2), last * 2];
}

/** Returns the additional points that draw the line to the left of the first point. */
function listLeadingPoints({ points, fromZero }: PublishedCurve, from: number): [x: number, y: number][] {
  const [first] = points;
  if (first === undefined) return [];
  const [x, y] = first;
  if (fromZero !== true) return [[from, y]];
  return Array.from({ length: LEADING_SEGMENTS }, (_, piece) => {
    const at = from * (x / from) ** (piece / LEADING_SEGMENTS);
    return [at, (y * at) / x];
  });
}

/** Selects the axis labels that fit without overlap. The labels at both ends are selected first. */
function selectTicks(ticks: readonly { x: number; label: string }[]): { x: number; label: string }[] {
  const kept: { x: number; label: string }[] = [];
  const [first, ...rest] = ticks;
  const last = rest.pop();
  for (const tick of [first, last, ...rest]) {
    if (tick !== undefined && kept.every((other) => hasGap(tick, other))) kept.push(tick);
  }
  return kept.sort((one, other) => one.x - other.x);
}

function hasGap(one: { x: number; label: string }, other: { x: number; label: string }): boolean {
  return (
    Math.abs(one.x - other.x) >=
    ((one.label.length + other.label.length) / 2) * CHARACTER_WIDTH + MIN_LABEL_GAP
  );
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
