import { formatConstantPercent, formatCount, formatShare } from '@touchstone/common';
import { DayChart } from './day-chart.tsx';
import { type Segment, layOutColumns, round } from './day-layout.ts';
import { NoDataOutline, drawBox } from './plot.tsx';
import { type StackedBar, type StackedDay, layOutSideLabels, layOutStack } from './stack-layout.ts';

const HEIGHT = 192;
/** Minimum distance of two letters beside the last bar, in pixels. */
const LETTER_HEIGHT = 15;

const NO_COLUMN = { x: 0, width: 0 };

/** Series of a stacked chart. */
export interface StackedSeries {
  readonly id: string;
  readonly label: string;
  /** Tooltip of the label, such as the id of a network. */
  readonly title?: string;
  /** Class of the fill color, such as `fill-gold`. */
  readonly className: string;
  /** Letter beside the last bar. */
  readonly letter?: string;
}

/** Labels of the y axis. The bars begin at the bottom. */
const TICKS = [0, 0.5, 1].map((value) => ({ value, y: HEIGHT * (1 - value) }));

/**
 * Shares of series per UTC day, as bars of equal height on a scale to 100 %. The legend lists the series from the top of
 * the bar down. A dashed outline is a day without data.
 *
 * @param props.title Title of the chart.
 * @param props.yLabel Name of the y axis: the whole whose parts the series are.
 * @param props.days Consecutive UTC days, oldest first. A day without values has no data.
 */
export function StackedDays({
  title,
  yLabel,
  series,
  days,
}: {
  readonly title: string;
  readonly yLabel: string;
  readonly series: readonly StackedSeries[];
  readonly days: readonly StackedDay[];
}) {
  const bars = layOutStack(
    series.map(({ id }) => id),
    days,
    HEIGHT,
  );
  const latest = bars.findLast(({ total }) => total > 0);
  return (
    <DayChart
      title={title}
      yLabel={yLabel}
      height={HEIGHT}
      ticks={TICKS}
      formatTick={formatConstantPercent}
      summary={summarize(series, latest)}
      series={series.map(({ label, title, letter, className }) => ({
        label,
        tooltip: title,
        column: letter,
        swatch: <Swatch className={className} />,
      }))}
      days={bars.map(({ day, total, segments }) => ({
        day,
        texts: total === 0 ? null : segments.map(({ count, share }) => formatPart(count, share)),
      }))}
      side={<Letters series={series} bar={latest} />}
      notes={
        bars.every(({ total }) => total > 0) ? null : (
          <p className="mt-1 text-xs text-stone-soft">Dashed: no data on this day.</p>
        )
      }
    >
      <Bars bars={bars} series={series} />
    </DayChart>
  );
}

/** Bars of all days. The segments of a series are one path. */
function Bars({
  bars,
  series,
}: {
  readonly bars: readonly StackedBar[];
  readonly series: readonly StackedSeries[];
}) {
  const columns = layOutColumns(bars.length);
  const draw = (place: number, { y, height }: Segment): string =>
    drawBox(columns[place] ?? NO_COLUMN, { y: round(y), height: round(height) });
  const missing = bars
    .map(({ total }, place) => (total === 0 ? draw(place, { y: 0.5, height: HEIGHT - 1 }) : ''))
    .join('');
  return (
    <>
      {missing === '' ? null : <NoDataOutline path={missing} />}
      {series.map(({ id, className }, index) => (
        <path
          key={id}
          d={bars
            .map(({ segments }, place) => {
              const segment = segments[index];
              return segment === undefined || segment.count === 0 ? '' : draw(place, segment);
            })
            .join('')}
          className={`stroke-stone ${className}`}
          strokeWidth="1"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </>
  );
}

/** Letters of the series beside the latest bar. */
function Letters({
  series,
  bar,
}: {
  readonly series: readonly StackedSeries[];
  readonly bar: StackedBar | undefined;
}) {
  if (bar === undefined || series.every(({ letter }) => letter === undefined)) return null;
  return (
    <svg viewBox={`0 0 14 ${HEIGHT}`} className="h-48 w-3.5 shrink-0 fill-stone-ink" aria-hidden="true">
      {layOutSideLabels(bar.segments, HEIGHT, LETTER_HEIGHT).map(({ id, y }) => (
        <text key={id} x="7" y={y + 4.5} fontSize="13" textAnchor="middle">
          {series.find((one) => one.id === id)?.letter}
        </text>
      ))}
    </svg>
  );
}

/** Sample of the color of a series. */
function Swatch({ className }: { readonly className: string }) {
  return (
    <svg viewBox="0 0 14 12" className="h-3 w-3.5 shrink-0" aria-hidden="true">
      <rect width="14" height="12" className={className} />
    </svg>
  );
}

function formatPart(count: number, share: number): string {
  return `${formatCount(count)} (${formatShare(share)})`;
}

/** Returns the figures of the latest day, as a sentence. */
function summarize(series: readonly StackedSeries[], bar: StackedBar | undefined): string {
  if (bar === undefined) return 'No data.';
  const figures = series.map(
    ({ label }, index) => `${label} ${formatShare(bar.segments[index]?.share ?? 0)}`,
  );
  return `Latest on ${bar.day}: ${figures.join(', ')}.`;
}
