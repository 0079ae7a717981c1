import { formatDay } from '../../format/format-time.ts';

const MS_PER_DAY = 86_400_000;

/** UTC day of a chart with its data. */
export interface FilledDay<T> {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Data of the day; null if there is none. */
  readonly value: T | null;
}

/**
 * Returns one entry for each UTC day of a period, oldest first. Days outside the period are left out. If a day occurs
 * several times, the last one counts.
 *
 * @param until Last day of the period: `YYYY-MM-DD` or an ISO 8601 time.
 * @param count Number of days, a whole number from 0.
 */
export function fillDays<T extends { readonly day: string }>(
  days: readonly T[],
  until: string,
  count: number,
): readonly FilledDay<T>[] {
  const last = Date.parse(formatDay(until));
  if (Number.isNaN(last)) return [];
  const values = new Map(days.map((value) => [value.day, value]));
  return Array.from({ length: Math.max(0, Math.trunc(count)) }, (_, index) => {
    const day = formatDay(new Date(last - (count - 1 - index) * MS_PER_DAY).toISOString());
    return { day, value: values.get(day) ?? null };
  });
}
