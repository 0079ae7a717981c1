import { CHART, layOutCurve, placeOfValue, type PublishedCurve } from './curve-layout.ts';

const VALUES = [0, 0.5, 1];

/**
 * A curve as a small drawing on the stone, with the table of its points for those who want the figures or cannot see
 * the drawing.
 *
 * @param props.title What the curve is of, a few words.
 * @param props.xLabel What the x axis shows, unit included.
 * @param props.formatX A value of the x axis as it is read, short.
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
      <Points curve={curve} xLabel={xLabel} formatX={formatX} title={title} />
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
        {VALUES.map((value) => (
          <text key={value} x={CHART.left - 6} y={placeOfValue(value) + 4} textAnchor="end">
            {value}
          </text>
        ))}
        {ticks.map(({ x, label }, index) => (
          <text key={label} x={x} y={CHART.bottom + 18} textAnchor={anchorOf(index, ticks.length)}>
            {label}
          </text>
        ))}
        <text x={(CHART.left + CHART.right) / 2} y={CHART.height - 8} textAnchor="middle">
          {axis}
        </text>
      </g>
      <g className="stroke-stone-line" strokeWidth="1">
        {VALUES.map((value) => (
          <path key={value} d={`M${CHART.left} ${placeOfValue(value)}H${CHART.right}`} />
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

/** Labels at the ends of the axis stay inside of the drawing. */
function anchorOf(index: number, count: number): 'middle' | 'end' {
  return index === count - 1 ? 'end' : 'middle';
}

function Points({
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
          ? 'Below the first point it falls in proportion, to 0 at 0; above the last it stays.'
          : 'Beyond the ends it stays as it is there.'}
      </p>
    </details>
  );
}
