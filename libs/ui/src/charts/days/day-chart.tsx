import type { ReactNode } from 'react';
import type { Tick } from './day-layout.ts';
import { ChartTable, DayAxis, Plot, type PlotHeight, TickLabels } from './plot.tsx';

/** Figures of a UTC day as text. */
interface DayFigures {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** One text per series; null for a day without data. */
  readonly texts: readonly string[] | null;
}

/** Series of a chart in its legend and table. */
interface ChartSeries {
  readonly label: string;
  /** Tooltip of the label. */
  readonly tooltip?: string | undefined;
  /** Heading of the table column, if it differs from the label. */
  readonly column?: string | undefined;
  /** Sample of the drawing of the series. */
  readonly swatch: ReactNode;
}

interface DayChartProps {
  readonly title: string;
  /** Name of the y axis, with its unit. */
  readonly yLabel: string;
  readonly height: PlotHeight;
  readonly ticks: readonly Tick[];
  readonly formatTick: (value: number) => string;
  readonly series: readonly ChartSeries[];
  /** Consecutive UTC days, oldest first. */
  readonly days: readonly DayFigures[];
  /** Text for a day without data. */
  readonly missing?: string;
  /** Summary of the chart for screen readers. */
  readonly summary: string;
  /** Labels to the right of the plot. */
  readonly side?: ReactNode;
  /** Notes below the legend. */
  readonly notes?: ReactNode;
  /** Shapes of the plot. */
  readonly children: ReactNode;
  readonly className?: string;
}

/**
 * Chart of figures per UTC day. Both axes are labeled. The legend shows the figures of the latest day with data, and of
 * the day that the reader chooses with the pointer, a touch or the arrow keys. The script `charts.js` reads the figures of
 * the chosen day from the table. Without this script, the chart is a drawing with a table.
 */
export function DayChart(props: DayChartProps) {
  const { title, yLabel, height, ticks, formatTick, series, days, missing = 'no data' } = props;
  const empty = series.map(() => missing);
  return (
    <figure data-chart={title} className={`min-w-0 ${props.className ?? ''}`}>
      <figcaption className="font-semibold">{title}</figcaption>
      <div className="mt-2 rounded-sm border border-stone-line bg-stone px-3 pt-2 pb-3 text-stone-ink">
        <p className="mb-2 text-xs text-stone-soft" aria-hidden="true">
          {yLabel}
        </p>
        <div className="flex gap-2">
          <TickLabels ticks={ticks} height={height} format={formatTick} />
          <div className="min-w-0 grow">
            <Plot height={height} label={`${title}, ${yLabel}. ${props.summary}`}>
              {props.children}
            </Plot>
            <DayAxis days={days} />
          </div>
          {props.side}
        </div>
        <Legend series={series} latest={days.findLast(({ texts }) => texts !== null)} missing={missing} />
        {props.notes}
      </div>
      <ChartTable
        title={title}
        columns={['Day (UTC)', ...series.map(({ label, column }) => column ?? label)]}
        rows={days.toReversed().map(({ day, texts }) => [day, ...(texts ?? empty)])}
      />
    </figure>
  );
}

/** Series with their figures on one day. */
function Legend({
  series,
  latest,
  missing,
}: {
  readonly series: readonly ChartSeries[];
  readonly latest: DayFigures | undefined;
  readonly missing: string;
}) {
  const isLong = series.length > 1;
  return (
    <div className="mt-2 border-t border-stone-line pt-2 text-sm">
      <p data-chart-day className="text-xs text-stone-soft tabular-nums">
        {latest?.day ?? missing}
      </p>
      <dl className={`gap-x-8 ${isLong ? 'sm:columns-2' : ''}`}>
        {series.map(({ label, tooltip, swatch }, index) => (
          <div key={label} className="flex break-inside-avoid items-center gap-2 py-0.5">
            {swatch}
            <dt title={tooltip} className="min-w-0 grow">
              {label}
            </dt>
            <dd data-chart-value className="text-right whitespace-nowrap tabular-nums">
              {latest?.texts?.[index] ?? missing}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
