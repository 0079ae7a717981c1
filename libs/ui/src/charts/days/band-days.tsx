import { ChartTable } from './chart-table.tsx';
import { layOutBand, type BandDay, type BandLayout } from './band-layout.ts';
import { PLOT_WIDTH } from './day-layout.ts';
import { DayTitles } from './day-titles.tsx';
import { DayAxis, Plot } from './plot.tsx';

const HEIGHT = 192;
/** Mean width of a character of a tick label, in pixels, rounded up. */
const TICK_CHARACTER_WIDTH = 8;

/** Names of the three values of a day. */
export interface BandNames {
  readonly low: string;
  readonly middle: string;
  readonly high: string;
}

/**
 * Range with a middle line per UTC day on a logarithmic scale, such as the quartiles of prices. Days without data
 * interrupt it.
 *
 * @param props.label Title of the chart with its unit.
 * @param props.names Names of the values, for the legend and the table.
 * @param props.days Consecutive UTC days, oldest first. Values are above 0.
 * @param props.format Formats a value.
 */
export function BandDays({
  label,
  names,
  days,
  format,
}: {
  readonly label: string;
  readonly names: BandNames;
  readonly days: readonly BandDay[];
  readonly format: (value: number) => string;
}) {
  const layout = layOutBand(days, HEIGHT);
  return (
    <figure className="min-w-0">
      <figcaption className="font-semibold">{label}, logarithmic</figcaption>
      <div className="mt-2 rounded-sm border border-stone-line bg-stone px-3 pt-3 pb-3 text-stone-ink">
        <div className="flex gap-2">
          <TickLabels ticks={layout.ticks} format={format} />
          <div className="min-w-0 grow">
            <Plot height={HEIGHT} label={`${label}. ${summarize(days, names, format)}`}>
              <Drawing days={days} layout={layout} names={names} format={format} />
            </Plot>
            <DayAxis days={days} />
          </div>
        </div>
        <Legend names={names} />
      </div>
      <ChartTable
        title={label}
        columns={['Day (UTC)', names.low, names.middle, names.high]}
        rows={days
          .toReversed()
          .map(({ day, band }) =>
            band === null
              ? [day, 'no data', 'no data', 'no data']
              : [day, format(band.low), format(band.middle), format(band.high)],
          )}
      />
    </figure>
  );
}

function TickLabels({
  ticks,
  format,
}: {
  readonly ticks: BandLayout['ticks'];
  readonly format: (value: number) => string;
}) {
  const labels = ticks.map(({ value, y }) => ({ text: format(value), y }));
  const width = TICK_CHARACTER_WIDTH * Math.max(0, ...labels.map(({ text }) => text.length));
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      className="h-48 w-auto shrink-0 overflow-visible fill-stone-soft tabular-nums"
      aria-hidden="true"
    >
      {labels.map(({ text, y }) => (
        <text key={y} x={width} y={y + 4} fontSize="12" textAnchor="end">
          {text}
        </text>
      ))}
    </svg>
  );
}

function Drawing({
  days,
  layout: { area, middle, isolated, ticks },
  names,
  format,
}: {
  readonly days: readonly BandDay[];
  readonly layout: BandLayout;
  readonly names: BandNames;
  readonly format: (value: number) => string;
}) {
  return (
    <>
      <path
        d={ticks.map(({ y }) => `M0 ${y}H${PLOT_WIDTH}`).join('')}
        className="stroke-stone-line"
        strokeWidth="1"
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={area}
        className="fill-gold/25 stroke-gold/70"
        strokeWidth="1"
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={isolated.map(({ x, low, high }) => `M${x} ${low}V${high}`).join('')}
        className="stroke-gold/40"
        strokeWidth="9"
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={middle}
        className="fill-transparent stroke-gold"
        strokeWidth="2"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={isolated.map((point) => `M${point.x} ${point.middle}h0`).join('')}
        className="stroke-gold"
        strokeWidth="7"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
      <DayTitles days={days} height={HEIGHT} format={({ band }) => formatBand(band, names, format)} />
    </>
  );
}

function Legend({ names: { low, middle, high } }: { readonly names: BandNames }) {
  return (
    <ul className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-xs text-stone-soft" aria-hidden="true">
      <li className="flex items-center gap-1.5">
        <svg viewBox="0 0 16 12" className="h-3 w-4 shrink-0">
          <path d="M0 6h16" className="stroke-gold" strokeWidth="2" />
        </svg>
        {middle}
      </li>
      <li className="flex items-center gap-1.5">
        <svg viewBox="0 0 16 12" className="h-3 w-4 shrink-0">
          <rect x=".5" y=".5" width="15" height="11" className="fill-gold/25 stroke-gold/70" />
        </svg>
        {low} to {high}
      </li>
    </ul>
  );
}

function formatBand(band: BandDay['band'], names: BandNames, format: (value: number) => string): string {
  if (band === null) return 'no data';
  return `${names.low} ${format(band.low)}, ${names.middle} ${format(band.middle)}, ${names.high} ${format(band.high)}`;
}

/** Returns the values of the latest day with data, as a sentence. */
function summarize(days: readonly BandDay[], names: BandNames, format: (value: number) => string): string {
  const latest = days.findLast(({ band }) => band !== null);
  return latest === undefined
    ? 'No data.'
    : `Latest on ${latest.day}: ${formatBand(latest.band, names, format)}.`;
}
