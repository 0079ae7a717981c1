import type { Grade } from '../types.ts';

/** The lowest score of each grade, best first. */
export const GRADE_THRESHOLDS = [
  ['A', 80],
  ['B', 65],
  ['C', 50],
  ['D', 35],
  ['F', 0],
] as const satisfies readonly (readonly [Grade, number])[];

/**
 * The grade of a score. `?` is no grade of a score: it stands where the recommendation is `free` or `unverified`, and
 * where no probe measured anything.
 *
 * @param score 0..100, as published
 */
export function gradeOf(score: number): Exclude<Grade, '?'> {
  return GRADE_THRESHOLDS.find(([, lowest]) => score >= lowest)?.[0] ?? 'F';
}
