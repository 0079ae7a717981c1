import { formatCount, formatPercent } from '@touchstone/common';
import { useId } from 'react';
import { ChartTable, DayAxis, NoDataOutline, Plot, drawBox } from './plot.tsx';
import { layOutColumns, round } from './day-layout.ts';
import { type StackedBar, type StackedDay, layOutSideLabels, layOutStack } from './stack-layout.ts';

const HEIGHT = 192;
/** Minimum distance of two letters beside the last bar, in pixels. */
const LETTER_HEIGHT = 15;

/** Minimum height of a segment with a texture, in pixels. A smaller segment is solid, so that it is visible. */
const MIN_TEXTURE_HEIGHT = 6;

const NO_COLUMN = { x: 0, width: 0 };

/** Series of a stacked chart. */
export interface StackedSeries {
  readonly id: string;
  readonly label: string;
  /** Class of the fill color, such as `fill-gold`. */
  readonly className: string;
  /** Letter beside the last bar. */
  readonly letter?: string;
}

/**
 * Shares of series per UTC day, as bars of equal height. Neighboring series differ in color and texture. The legend
 * lists the series from the top of the bar down, with the latest figures.
 *
 * @param props.label Title of the chart.
 * @param props.days Consecutive UTC days, oldest first. A day without values has no data.
 */
export function StackedDays({
  label,
  series,
  days,
}: {
  readonly label: string;
  readonly series: readonly StackedSeries[];
  readonly days: readonly StackedDay[];
}) {
  const prefix = useId();
  const bars = layOutStack(
    series.map(({ id }) => id),
    days,
    HEIGHT,
  );
  const latest = bars.findLast(({ total }) => total > 0);
  return (
    <figure className="min-w-0">
      <figcaption className="font-semibold">{label}</figcaption>
      <div className="mt-2 rounded-sm border border-stone-line bg-stone px-3 pt-3 pb-3 text-stone-ink">
        <div className="flex gap-1.5">
          <div className="min-w-0 grow">
            <Plot height={HEIGHT} label={`${label}. ${summarize(series, latest)}`}>
              <defs>
                {series.map(({ id, className }, index) => (
                  <TexturePattern key={id} id={`${prefix}${index}`} index={index} className={className} />
                ))}
              </defs>
              <Bars bars={bars} series={series} prefix={prefix} />
            </Plot>
            <DayAxis days={days} />
          </div>
          <Letters series={series} bar={latest} />
        </div>
        <Legend series={series} bar={latest} />
        {bars.every(({ total }) => total > 0) ? null : (
          <p className="mt-1 text-xs text-stone-soft">Dashed: no data on this day.</p>
        )}
      </div>
      <ChartTable
        title={label}
        columns={['Day (UTC)', ...series.map((one) => one.letter ?? one.label)]}
        rows={bars
          .toReversed()
          .map(({ day, total, segments }) => [
            day,
            ...series.map((_, index) => (total === 0 ? 'no data' : formatCount(segments[index]?.count ?? 0))),
          ])}
      />
    </figure>
  );
}

/** Bars of all days. Each series of a day is a separate element with a tooltip. */
function Bars({
  bars,
  series,
  prefix,
}: {
  readonly bars: readonly StackedBar[];
  readonly series: readonly StackedSeries[];
  readonly prefix: string;
}) {
  const columns = layOutColumns(bars.length);
  const missing = bars
    .map(({ total }, place) =>
      total === 0 ? drawBox(columns[place] ?? NO_COLUMN, { y: 0.5, height: HEIGHT - 1 }) : '',
    )
    .join('');
  return (
    <>
      {missing === '' ? null : <NoDataOutline path={missing} />}
      {series.map(({ id, label, className }, index) => (
        <g key={id} className={`stroke-stone ${className}`} strokeWidth="1">
          {bars.map(({ day, segments }, place) => {
            const segment = segments[index];
            if (segment === undefined || segment.count === 0) return null;
            const { count, share, y, height } = segment;
            return (
              <path
                key={day}
                d={drawBox(columns[place] ?? NO_COLUMN, {
                  y: round(y),
                  height: round(height),
                })}
                fill={height < MIN_TEXTURE_HEIGHT ? undefined : `url(#${prefix}${index})`}
                vectorEffect="non-scaling-stroke"
              >
                <title>{`${day}, ${label}: ${formatShare(count, share)}`}</title>
              </path>
            );
          })}
        </g>
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

function Legend({
  series,
  bar,
}: {
  readonly series: readonly StackedSeries[];
  readonly bar: StackedBar | undefined;
}) {
  return (
    <dl className="mt-3 gap-x-8 border-t border-stone-line pt-2 text-sm sm:columns-2">
      {series.map(({ id, label, className }, index) => {
        const segment = bar?.segments[index];
        return (
          <div key={id} className="flex break-inside-avoid items-center gap-2 py-0.5">
            <TextureSwatch index={index} className={className} />
            <dt className="min-w-0 grow">{label}</dt>
            <dd className="text-right whitespace-nowrap text-stone-soft tabular-nums">
              {segment === undefined ? 'no data' : formatShare(segment.count, segment.share)}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function formatShare(count: number, share: number): string {
  return `${formatCount(count)} (${formatPercent(share)})`;
}

/** Returns the figures of the latest day, as a sentence. */
function summarize(series: readonly StackedSeries[], bar: StackedBar | undefined): string {
  if (bar === undefined) return 'No data.';
  const figures = series.map(
    ({ label }, index) => `${label} ${formatPercent(bar.segments[index]?.share ?? 0)}`,
  );
  return `Latest on ${bar.day}: ${figures.join(', ')}.`;
}

/** Distance between two lines of a texture, in pixels. */
const LINE_DISTANCE = 4;
/**
 * Height of the lines of each texture, in pixels. The first texture is solid. Lines are horizontal, because a stretched
 * drawing changes horizontal distances.
 */
const LINE_HEIGHTS = [LINE_DISTANCE, 2.75, 1.75] as const;

function getLineHeight(index: number): number {
  return LINE_HEIGHTS[index % LINE_HEIGHTS.length] ?? LINE_DISTANCE;
}

/**
 * SVG pattern that fills the segments of a series with a color and a texture.
 *
 * @param props.index Position of the series. Neighboring series have different textures.
 * @param props.className Class of the fill color.
 */
function TexturePattern({
  id,
  index,
  className,
}: {
  readonly id: string;
  readonly index: number;
  readonly className: string;
}) {
  return (
    <pattern id={id} width="8" height={LINE_DISTANCE} patternUnits="userSpaceOnUse">
      <rect width="8" height={getLineHeight(index)} className={className} />
    </pattern>
  );
}

/** Sample of the color and texture of a series, for a legend. */
function TextureSwatch({ index, className }: { readonly index: number; readonly className: string }) {
  const height = getLineHeight(index);
  return (
    <svg viewBox="0 0 14 12" className="h-3 w-3.5 shrink-0" aria-hidden="true">
      {[0, LINE_DISTANCE, 2 * LINE_DISTANCE].map((y) => (
        <rect key={y} y={y} width="14" height={height} className={className} />
      ))}
    </svg>
  );
}
