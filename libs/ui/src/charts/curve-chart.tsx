import { CHART, layOutCurve, toY, type PublishedCurve } from './curve-layout.ts';

const Y_TICKS = [0, 0.5, 1];

/**
 * Line chart of a curve, with an expandable table of its points.
 *
 * @param props.title Short name of the curve.
 * @param props.xLabel Label of the x axis with its unit.
 * @param props.formatX Formats a value of the x axis.
 */
export function CurveChart({
  title,
  curve,
  xLabel,
  formatX,
}: {
  readonly title: string;
  readonly curve: PublishedCurve;
  readonly xLabel: string;
  readonly formatX: (x: number) => string;
}) {
  const axis = curve.scale === 'log' ? `${xLabel}, logarithmic` : xLabel;
  return (
    <figure className="min-w-0 break-inside-avoid">
      <figcaption className="font-semibold">{title}</figcaption>
      <div className="mt-2 rounded-sm border border-stone-line bg-stone p-1">
        <Drawing title={title} curve={curve} axis={axis} formatX={formatX} />
      </div>
      <PointsTable curve={curve} xLabel={xLabel} formatX={formatX} title={title} />
    </figure>
  );
}

function Drawing({
  title,
  curve,
  axis,
  formatX,
}: {
  readonly title: string;
  readonly curve: PublishedCurve;
  readonly axis: string;
  readonly formatX: (x: number) => string;
}) {
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
        {ticks.map(({ x, label }, index) => (
          <text key={label} x={x} y={CHART.bottom + 18} textAnchor={getTextAnchor(index, ticks.length)}>
            {label}
          </text>
        ))}
        <text x={(CHART.left + CHART.right) / 2} y={CHART.height - 8} textAnchor="middle">
          {axis}
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

/**
 * Returns the SVG text anchor of an x axis label. The last label ends at its tick, so that it stays inside the drawing.
 */
function getTextAnchor(index: number, count: number): 'middle' | 'end' {
  return index === count - 1 ? 'end' : 'middle';
}

function PointsTable({
  curve: { points, fromZero },
  xLabel,
  formatX,
  title,
}: {
  readonly curve: PublishedCurve;
  readonly xLabel: string;
  readonly formatX: (x: number) => string;
  readonly title: string;
}) {
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
      <p className="mt-2 text-ink-soft">
        {fromZero === true
          ? 'Below the first point, the value falls in proportion to 0 at 0. Above the last point, it stays constant.'
          : 'Outside the range of the points, the value stays constant.'}
      </p>
    </details>
  );
}
