const STEPS = '▁▂▃▄▅▆▇█';
const FULL = '█';
const EMPTY = '░';

/** What the lowest and the highest step stand for. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** A line of small columns, one for each value; a gap for what is not known. */
export function sparkline(values: readonly (number | null)[], { low, high }: Range): string {
  return values
    .map((value) => {
      if (value === null) return ' ';
      const part = high > low ? (value - low) / (high - low) : 0.5;
      return STEPS[Math.min(STEPS.length - 1, Math.max(0, Math.floor(part * STEPS.length)))] ?? ' ';
    })
    .join('');
}

/** The range of values, no narrower than a span that is worth seeing. */
export function rangeOf(values: readonly (number | null)[], span: number): Range {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return { low: 0, high: span };
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const lack = Math.max(0, span - (high - low));
  return { low: low - lack / 2, high: high + lack / 2 };
}

/**
 * As many values at most as there is room for: neighbours share a column, which shows their mean.
 *
 * @param room columns, at least one
 */
export function squeeze(values: readonly (number | null)[], room: number): (number | null)[] {
  const each = Math.ceil(values.length / Math.max(1, room));
  if (each <= 1) return [...values];
  return Array.from({ length: Math.ceil(values.length / each) }, (_, index) => {
    const known = values.slice(index * each, (index + 1) * each).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
}

/** A bar of a share of 0 to 1. */
export function bar(share: number, columns: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * columns);
  return FULL.repeat(filled) + EMPTY.repeat(columns - filled);
}
