import { scaleLog } from 'd3-scale';
import { area, line } from 'd3-shape';
import { DayChart } from './day-chart.tsx';
import { type Tick, createXScale, round } from './day-layout.ts';
import { TickLines } from './plot.tsx';

const HEIGHT = 192;
/** Names of the three values of a day. */
interface BandNames {
  readonly low: string;
  readonly middle: string;
  readonly high: string;
}

interface BandProps {
  /** Names of the values, for the legend and the table. */
  readonly names: BandNames;
  /** Consecutive UTC days, oldest first. */
  readonly days: readonly BandDay[];
  /** Formats a value. */
  readonly format: (value: number) => string;
}

/**
 * Chart of a range of values for each UTC day, such as the quartiles of prices. A line connects the middle values. The
 * scale is logarithmic. Days without data interrupt the range and the line.
 *
 * @param props.title Title of the chart.
 * @param props.yLabel Name of the y axis, with its unit.
 */
export function BandDays(props: BandProps & { readonly title: string; readonly yLabel: string }) {
  const { title, yLabel, names, days, format } = props;
  const layout = layOutBand(days, HEIGHT);
  return (
    <DayChart
      title={title}
      yLabel={`${yLabel}, logarithmic`}
      height={HEIGHT}
      ticks={layout.ticks}
      formatTick={format}
      summary={summarize(props)}
      series={[
        { label: names.high, swatch: <RangeSwatch edge={1} /> },
        { label: names.middle, swatch: <LineSwatch /> },
        { label: names.low, swatch: <RangeSwatch edge={11} /> },
      ]}
      days={days.map(({ day, band }) => ({
        day,
        texts: band && [format(band.high), format(band.middle), format(band.low)],
      }))}
    >
      <Drawing layout={layout} />
    </DayChart>
  );
}

function Drawing({ layout: { area, middle, isolated, ticks } }: { readonly layout: BandLayout }) {
  return (
    <>
      <TickLines ticks={ticks} />
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
    </>
  );
}

function LineSwatch() {
  return (
    <svg viewBox="0 0 16 12" className="h-3 w-4 shrink-0" aria-hidden="true">
      <path d="M0 6h16" className="stroke-gold" strokeWidth="2" />
    </svg>
  );
}

/**
 * Sample of the range, with a marked edge.
 *
 * @param props.edge Y coordinate of the edge.
 */
function RangeSwatch({ edge }: { readonly edge: number }) {
  return (
    <svg viewBox="0 0 16 12" className="h-3 w-4 shrink-0" aria-hidden="true">
      <rect width="16" height="12" className="fill-gold/25" />
      <path d={`M0 ${edge}h16`} className="stroke-gold/70" strokeWidth="2" />
    </svg>
  );
}

function formatBand(band: BandDay['band'], { names, format }: BandProps): string {
  if (band === null) return 'no data';
  return `${names.low} ${format(band.low)}, ${names.middle} ${format(band.middle)}, ${names.high} ${format(band.high)}`;
}

/** Returns the values of the latest day with data, as a sentence. */
function summarize(props: BandProps): string {
  const latest = props.days.findLast(({ band }) => band !== null);
  return latest === undefined ? 'No data.' : `Latest on ${latest.day}: ${formatBand(latest.band, props)}.`;
}

/** Range of a UTC day with its median. */
export interface BandDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Null for a day without data. Values are above 0. */
  readonly band: { readonly low: number; readonly middle: number; readonly high: number } | null;
}

/** Coordinates for drawing the ranges of all days. */
interface BandLayout {
  /** Area between the lower and the upper values, as the `d` attribute of an SVG path. */
  readonly area: string;
  /** Line of the middle values. */
  readonly middle: string;
  /**
   * Days whose neighboring days have no data. They are drawn as vertical lines, because the area does not show them.
   */
  readonly isolated: readonly BandPoint[];
  /** Labeled values of the y axis, from the lowest to the highest. */
  readonly ticks: readonly Tick[];
}

/** Coordinates of a day. Because y grows downwards, `low` has the largest y. */
interface BandPoint {
  readonly day: string;
  readonly x: number;
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

/** Minimum distance of two labels of the y axis, in pixels. */
const MIN_TICK_DISTANCE = 26;
/** Distance between the band and the upper and lower edge of its plot, in pixels. */
const MARGIN = 10;
/** Factor by which a logarithmic axis extends beyond the values on both sides. */
const LOG_MARGIN = 1.25;

/**
 * Computes the area and the middle line of ranges on a logarithmic scale. Days without data interrupt the area and the
 * line.
 */
export function layOutBand(days: readonly BandDay[], height: number): BandLayout {
  const bands = days.flatMap(({ band }) => (band === null ? [] : [band]));
  if (bands.length === 0) return { area: '', middle: '', isolated: [], ticks: [] };
  const low = Math.min(...bands.map((band) => band.low));
  const high = Math.max(...bands.map((band) => band.high));
  const domain = [low / LOG_MARGIN, high * LOG_MARGIN] as const;
  const scale = scaleLog(domain, [height - MARGIN, MARGIN]);
  const toY = (value: number): number => round(scale(value));
  const toX = createXScale(days.length);
  const points = days.map(({ day, band }, index) =>
    band === null
      ? null
      : { day, x: toX(index), low: toY(band.low), middle: toY(band.middle), high: toY(band.high) },
  );
  const isDefined = (point: BandPoint | null): boolean => point !== null;
  const getX = (point: BandPoint | null): number => point?.x ?? 0;
  return {
    area:
      area<BandPoint | null>(
        getX,
        (point) => point?.low ?? 0,
        (point) => point?.high ?? 0,
      ).defined(isDefined)(points) ?? '',
    middle: line<BandPoint | null>(getX, (point) => point?.middle ?? 0).defined(isDefined)(points) ?? '',
    isolated: points
      .filter((_, index) => !points[index - 1] && !points[index + 1])
      .filter((point) => point !== null),
    ticks: selectTicks(listLogTicks(domain).map((value) => ({ value, y: toY(value) }))),
  };
}

/** Returns the values 1, 2 and 5 times a power of ten in a range, with the powers of ten first. */
function listLogTicks([from, to]: readonly [number, number]): number[] {
  const exponents: number[] = [];
  for (let exponent = Math.floor(Math.log10(from)); exponent <= Math.log10(to); exponent += 1)
    exponents.push(exponent);
  return [1, 5, 2]
    .flatMap((factor) => exponents.map((exponent) => Number(`${factor}e${exponent}`)))
    .filter((value) => value >= from && value <= to);
}

/** Selects labels that do not overlap, in the order of the candidates, and sorts them by value. */
function selectTicks(candidates: readonly Tick[]): readonly Tick[] {
  const kept: Tick[] = [];
  for (const tick of candidates) {
    if (kept.every(({ y }) => Math.abs(y - tick.y) >= MIN_TICK_DISTANCE)) kept.push(tick);
  }
  return kept.sort((one, other) => one.value - other.value);
}
