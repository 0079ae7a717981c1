import { stack } from 'd3-shape';
import type { Segment } from './day-layout.ts';

/** Counts of a UTC day by series. */
export interface StackedDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Counts by the id of the series, each at least 0. Missing counts are 0. A day without counts has no data. */
  readonly values: Readonly<Record<string, number>>;
}

/** Part of a bar that shows one series. */
export interface SeriesSegment extends Segment {
  readonly id: string;
  readonly count: number;
  /** Share in the sum of the day, 0 to 1. */
  readonly share: number;
}

/** Bar of a day. */
export interface StackedBar {
  readonly day: string;
  /** Sum of the counts of all series; 0 for a day without data. */
  readonly total: number;
  /** One segment per series, from the top down; empty for a day without data. */
  readonly segments: readonly SeriesSegment[];
}

/**
 * Computes one bar for each day. The bar shows the share of each series in the sum of the day. All bars have the same
 * height, because each bar shows 100 percent of its day.
 *
 * @param ids Ids of the series, from the top down.
 */
export function layOutStack(
  ids: readonly string[],
  days: readonly StackedDay[],
  height: number,
): readonly StackedBar[] {
  const layers = stack<StackedDay, string>()
    .keys(ids)
    .value(({ values }, id) => values[id] ?? 0)(days);
  return days.map(({ day, values }, index) => {
    const total = ids.reduce((sum, id) => sum + (values[id] ?? 0), 0);
    if (total === 0) return { day, total, segments: [] };
    const segments = layers.map((layer) => {
      const [from = 0, to = 0] = layer[index] ?? [];
      const count = to - from;
      const y = (from / total) * height;
      return { id: layer.key, count, share: count / total, y, height: (count / total) * height };
    });
    return { day, total, segments };
  });
}

/** Label beside the last bar. */
export interface SideLabel {
  readonly id: string;
  /** Middle of the label, in pixels. */
  readonly y: number;
}

/**
 * Places one label beside each segment with at least one count. Labels that would overlap are moved apart, in the order
 * of the segments. If not all labels fit, the smallest segments have no label.
 *
 * @param lineHeight Minimum distance of two labels, in pixels.
 */
export function layOutSideLabels(
  segments: readonly SeriesSegment[],
  height: number,
  lineHeight: number,
): readonly SideLabel[] {
  const kept = new Set(
    segments
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count)
      .slice(0, Math.floor(height / lineHeight)),
  );
  const shown = segments.filter((segment) => kept.has(segment));
  const labels: SideLabel[] = [];
  for (const [index, segment] of shown.entries()) {
    const above = (labels.at(-1)?.y ?? -lineHeight / 2) + lineHeight;
    const below = height - lineHeight / 2 - (shown.length - 1 - index) * lineHeight;
    labels.push({ id: segment.id, y: Math.min(below, Math.max(above, segment.y + segment.height / 2)) });
  }
  return labels;
}
