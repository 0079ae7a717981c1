import { ChartTable, DayAxis, DayTitles, Plot } from './plot.tsx';
import { type DayValue, type LineOptions, type LinePoint, PLOT_WIDTH, layOutLine } from './day-layout.ts';

const HEIGHT = 64;

/**
 * Small line chart of one value per UTC day, with the latest value and its day, the lowest and the highest value, and
 * the scale as text. The scale begins at 0. Days without a value interrupt the line.
 *
 * @param props.label Title of the chart with its unit.
 * @param props.days Consecutive UTC days, oldest first. Values are at least 0.
 * @param props.format Formats a value.
 * @param props.shape Use `step` for values that change abruptly, such as prices.
 * @param props.maximum Upper end of the scale, such as 1 for shares. Without it, the scale ends at the highest
 * value.
 */
export function DayLine({
  label,
  days,
  format,
  shape,
  maximum,
  className = '',
}: {
  readonly label: string;
  readonly days: readonly DayValue[];
  readonly format: (value: number) => string;
  readonly className?: string;
} & LineOptions) {
  const layout = layOutLine(days, HEIGHT, { shape, maximum });
  const range = findRange(layout.points);
  return (
    <figure className={`flex min-w-0 flex-col ${className}`}>
      <figcaption className="flex grow flex-wrap content-end items-baseline justify-between gap-x-4">
        <span className="font-semibold">{label}</span>{' '}
        {range === null ? null : <Latest point={range.latest} format={format} />}
      </figcaption>
      <div className="mt-2 rounded-sm border border-stone-line bg-stone px-3 pt-3 pb-2 text-stone-ink">
        {range === null ? (
          <p className="flex h-16 items-center text-sm text-stone-soft">No data in this period.</p>
        ) : (
          <Plot height={HEIGHT} label={`${label}. ${summarize(range, format)}`}>
            <Drawing days={days} layout={layout} latest={range.latest} format={format} />
          </Plot>
        )}
        <DayAxis days={days} />
        {range === null ? null : <Extremes range={range} maximum={maximum} format={format} />}
      </div>
      {range === null ? null : (
        <ChartTable
          title={label}
          columns={['Day (UTC)', label]}
          rows={days.toReversed().map(({ day, value }) => [day, value === null ? 'no data' : format(value)])}
        />
      )}
    </figure>
  );
}

interface Range {
  readonly low: LinePoint;
  readonly high: LinePoint;
  readonly latest: LinePoint;
}

/** Returns the points with the lowest, highest and latest value; null if there are no points. */
function findRange(points: readonly LinePoint[]): Range | null {
  const [first] = points;
  const latest = points.at(-1);
  if (first === undefined || latest === undefined) return null;
  return {
    low: points.reduce((one, other) => (other.value < one.value ? other : one), first),
    high: points.reduce((one, other) => (other.value > one.value ? other : one), first),
    latest,
  };
}

function Latest({
  point: { day, value },
  format,
}: {
  readonly point: LinePoint;
  readonly format: (value: number) => string;
}) {
  return (
    <span className="text-sm text-ink-soft tabular-nums">
      latest <span className="text-lg text-ink">{format(value)}</span> ({day})
    </span>
  );
}

function Drawing({
  days,
  layout: { path, isolated },
  latest,
  format,
}: {
  readonly days: readonly DayValue[];
  readonly layout: ReturnType<typeof layOutLine>;
  readonly latest: LinePoint;
  readonly format: (value: number) => string;
}) {
  return (
    <>
      <path
        d={`M0 ${HEIGHT}H${PLOT_WIDTH}`}
        className="stroke-stone-line"
        strokeWidth="1"
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={path}
        className="fill-transparent stroke-gold"
        strokeWidth="2"
        strokeLinejoin="round"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={[...isolated, latest].map(({ x, y }) => `M${x} ${y}h0`).join('')}
        className="stroke-gold"
        strokeWidth="7"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
      <DayTitles
        days={days}
        height={HEIGHT}
        format={({ value }) => (value === null ? 'no data' : format(value))}
      />
    </>
  );
}

/** Lowest and highest value, and the ends of the scale. */
function Extremes({
  range: { low, high },
  maximum,
  format,
}: {
  readonly range: Range;
  readonly maximum: number | undefined;
  readonly format: (value: number) => string;
}) {
  return (
    <dl className="mt-1 flex flex-wrap gap-x-4 text-xs tabular-nums" aria-hidden="true">
      {low.value === high.value ? (
        <Extreme term="unchanged" value={format(low.value)} />
      ) : (
        <>
          <Extreme term="lowest" value={format(low.value)} />
          <Extreme term="highest" value={format(high.value)} />
        </>
      )}
      <Extreme term="scale" value={maximum === undefined ? 'from 0' : `0 to ${format(maximum)}`} />
    </dl>
  );
}

function Extreme({ term, value }: { readonly term: string; readonly value: string }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-stone-soft">{term}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Returns the latest, lowest and highest value with their days, as a sentence. */
function summarize({ low, high, latest }: Range, format: (value: number) => string): string {
  return `Latest ${format(latest.value)} on ${latest.day}, lowest ${format(low.value)} on ${low.day}, highest ${format(high.value)} on ${high.day}.`;
}
