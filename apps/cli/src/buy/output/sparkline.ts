const STEPS = '▁▂▃▄▅▆▇█';
const FULL = '█';
const EMPTY = '░';

/** Values at the bottom and at the top of a scale. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** Draws one column (`▁` to `█`) for each value, and a space for null. */
export function drawSparkline(values: readonly (number | null)[], { low, high }: Range): string {
  return values
    .map((value) => {
      if (value === null) return ' ';
      const share = high > low ? (value - low) / (high - low) : 0.5;
      return STEPS[Math.min(STEPS.length - 1, Math.max(0, Math.floor(share * STEPS.length)))] ?? ' ';
    })
    .join('');
}

/**
 * Returns a scale that covers all values.
 *
 * @param minSpan minimum difference between both ends of the scale, so that small differences look small
 */
export function findRange(values: readonly (number | null)[], minSpan: number): Range {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return { low: 0, high: minSpan };
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const missing = Math.max(0, minSpan - (high - low));
  return { low: low - missing / 2, high: high + missing / 2 };
}

/** Returns the number of values that share one column, at least 1, so that all values fit into `columns`. */
export function countValuesPerColumn(valueCount: number, columns: number): number {
  return Math.max(1, Math.ceil(valueCount / Math.max(1, columns)));
}

/** Reduces values to at most `columns` values. Each result is the mean of neighbouring values that are not null. */
export function averageToColumns(values: readonly (number | null)[], columns: number): (number | null)[] {
  const perColumn = countValuesPerColumn(values.length, columns);
  if (perColumn === 1) return [...values];
  return Array.from({ length: Math.ceil(values.length / perColumn) }, (_, index) => {
    const known = values.slice(index * perColumn, (index + 1) * perColumn).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
}

/** Draws a horizontal bar for a share from 0 to 1. */
export function drawBar(share: number, columns: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * columns);
  return FULL.repeat(filled) + EMPTY.repeat(columns - filled);
}
