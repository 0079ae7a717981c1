import { scaleLog } from 'd3-scale';
import { area, line } from 'd3-shape';
import { createXScale } from './day-layout.ts';

/** Range of a UTC day with its median. */
export interface BandDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Null if there are no data. Values are above 0. */
  readonly band: { readonly low: number; readonly middle: number; readonly high: number } | null;
}

/** Coordinates of a band over days. */
export interface BandLayout {
  /** Area between the lower and the upper values, as the `d` attribute of an SVG path. */
  readonly area: string;
  /** Line of the middle values. */
  readonly middle: string;
  /** Vertical lines of the days without a neighbor, which the area does not show. */
  readonly isolated: readonly BandPoint[];
  /** Labeled values of the y axis, from the lowest to the highest. */
  readonly ticks: readonly { readonly value: number; readonly y: number }[];
}

/** Coordinates of a day; y grows downwards, so `low` is the largest. */
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

/** Computes the area and the middle line of ranges on a logarithmic scale. Days without data interrupt both. */
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
function selectTicks(candidates: readonly { value: number; y: number }[]): { value: number; y: number }[] {
  const kept: { value: number; y: number }[] = [];
  for (const tick of candidates) {
    if (kept.every(({ y }) => Math.abs(y - tick.y) >= MIN_TICK_DISTANCE)) kept.push(tick);
  }
  return kept.sort((one, other) => one.value - other.value);
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}
