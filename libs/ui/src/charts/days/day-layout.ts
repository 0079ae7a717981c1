import { DAY_MS, formatDay } from '@touchstone/common';
import { scaleBand, scaleLinear, scalePoint } from 'd3-scale';
import { type CurveFactory, curveLinear, curveStep, line } from 'd3-shape';

/**
 * Width of every plot, in SVG units. The drawing is stretched to the width of the page, so only heights are pixels.
 */
export const PLOT_WIDTH = 1000;
/** Width of the gap between two bars, divided by the width of a bar and a gap together. */
const BAR_GAP = 0.2;
/** Minimum height of the failed part of a bar, in pixels, so that a single failed probe is visible. */
const MIN_FAILED_HEIGHT = 4;
/** Distance between the line and the upper and lower edge of its plot, in pixels. */
const LINE_MARGIN = 6;

/** Part of a bar; y grows downwards. */
export interface Segment {
  readonly y: number;
  readonly height: number;
}

/** Horizontal position and width of the bar of a day, in SVG units. */
export interface Column {
  readonly x: number;
  readonly width: number;
}

/** Point of a line. */
export interface LinePoint {
  readonly day: string;
  readonly value: number;
  readonly x: number;
  readonly y: number;
}

/** Value of a day; null for a day without a value. */
export interface DayValue {
  readonly day: string;
  readonly value: number | null;
}

/**
 * Returns the horizontal positions of the bars of `count` days, from left to right.
 *
 * @param gap Width of a gap, divided by the width of a bar and a gap together. With 0, the bars touch each other.
 */
export function layOutColumns(count: number, gap = BAR_GAP): readonly Column[] {
  const scale = scaleBand<number>(range(count), [0, PLOT_WIDTH])
    .paddingInner(gap)
    .paddingOuter(gap / 2);
  return range(count).map((index) => ({ x: round(scale(index) ?? 0), width: round(scale.bandwidth()) }));
}

/**
 * Splits the bar of a day into its succeeded part at the bottom and its failed part at the top. Each part is null if it
 * is empty.
 *
 * @param uptime Percentage from 0 to 100.
 */
export function splitUptime(uptime: number, height: number): { up: Segment | null; failed: Segment | null } {
  const share = Math.min(100, Math.max(0, uptime)) / 100;
  if (share === 1) return { up: { y: 0, height }, failed: null };
  const failed = share === 0 ? height : Math.max(MIN_FAILED_HEIGHT, round((1 - share) * height));
  const top = Math.min(height, failed);
  return {
    failed: { y: 0, height: top },
    up: share === 0 || top >= height ? null : { y: top, height: round(height - top) },
  };
}

/** Labeled value of the y axis. */
export interface Tick {
  readonly value: number;
  readonly y: number;
}

/** Coordinates of a line over days. */
interface LineLayout {
  /** Line as the `d` attribute of an SVG path, interrupted at days without a value. */
  readonly path: string;
  readonly points: readonly LinePoint[];
  /** Points whose neighboring days have no value. The line does not show these points. */
  readonly isolated: readonly LinePoint[];
}

/** Options of the line of one value per day. */
export interface LineOptions {
  /** `line` connects the values directly. `step` keeps a value constant until the middle between two days. */
  readonly shape?: 'line' | 'step' | undefined;
  /** Upper end of the scale, such as 1 for shares. Without it, the scale ends above the highest value. */
  readonly maximum?: number | undefined;
}

/** Number of intervals between the labels of the y axis. The scale may have one interval more or less. */
const TICK_INTERVALS = 2;

/**
 * Computes lines of one value per day on one scale. The scale begins at 0, so that a small change of a large value looks
 * small, and ends at a round number.
 *
 * @param series Days of each line, with values of at least 0.
 */
export function layOutLines(
  series: readonly (readonly DayValue[])[],
  height: number,
  { shape = 'line', maximum }: LineOptions = {},
): { readonly lines: readonly LineLayout[]; readonly ticks: readonly Tick[] } {
  const values = series.flat().flatMap(({ value }) => (value === null ? [] : [value]));
  const domain = [0, maximum ?? (Math.max(0, ...values) || 1)] as const;
  const scale = scaleLinear(domain, [height - LINE_MARGIN, LINE_MARGIN]).clamp(true);
  if (maximum === undefined) scale.nice(TICK_INTERVALS);
  const toY = (value: number): number => round(scale(value));
  return {
    lines: series.map((days) => layOutLine(days, toY, shape === 'step' ? curveStep : curveLinear)),
    ticks: values.length === 0 ? [] : scale.ticks(TICK_INTERVALS).map((value) => ({ value, y: toY(value) })),
  };
}

function layOutLine(
  days: readonly DayValue[],
  toY: (value: number) => number,
  curve: CurveFactory,
): LineLayout {
  const toX = createXScale(days.length);
  const places = days.map(({ day, value }, index) =>
    value === null ? null : { day, value, x: toX(index), y: toY(value) },
  );
  const draw = line<LinePoint | null>(
    (point) => point?.x ?? 0,
    (point) => point?.y ?? 0,
  )
    .defined((point) => point !== null)
    .curve(curve);
  return {
    path: draw(places) ?? '',
    points: places.filter((point) => point !== null),
    isolated: places
      .filter((_, index) => !places[index - 1] && !places[index + 1])
      .filter((point) => point !== null),
  };
}

/** Returns the function from the position of a day to the x coordinate of its middle. */
export function createXScale(count: number): (index: number) => number {
  const scale = scalePoint<number>(range(count), [0, PLOT_WIDTH]).padding(0.5);
  return (index) => round(scale(index) ?? 0);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Rounds a coordinate to two decimals. */
export function round(number: number): number {
  return Math.round(number * 100) / 100;
}

/** UTC day of a chart with its data. */
interface FilledDay<T> {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Data of the day; null for a day without data. */
  readonly value: T | null;
}

/**
 * Returns one entry for each UTC day of a period, oldest first. The period begins with the first day with data, and has
 * at most `limit` days. Days outside the period are left out. If a day occurs several times, its last entry counts.
 *
 * @param until Last day of the period: `YYYY-MM-DD` or an ISO 8601 time.
 */
export function fillDays<T extends { readonly day: string }>(
  days: readonly T[],
  until: string,
  limit: number,
): readonly FilledDay<T>[] {
  const last = Date.parse(formatDay(until));
  if (Number.isNaN(last)) return [];
  const values = new Map(days.map((value) => [value.day, value]));
  const filled = Array.from({ length: limit }, (_, index) => {
    const day = formatDay(last - (limit - 1 - index) * DAY_MS);
    return { day, value: values.get(day) ?? null };
  });
  const first = filled.findIndex(({ value }) => value !== null);
  return first === -1 ? [] : filled.slice(first);
}
