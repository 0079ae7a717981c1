import type { Grade } from '@touchstone/contract';

/** Minimum score of each grade, best grade first. */
export const GRADE_THRESHOLDS = [
  ['A', 80],
  ['B', 65],
  ['C', 50],
  ['D', 35],
  ['F', 0],
] as const satisfies readonly (readonly [Grade, number])[];

/**
 * Returns the grade of a score. The result is never `?`: `score` assigns this grade to endpoints that are free,
 * unverified, or not measured by any probe.
 *
 * @param score 0..100, as published
 */
export function toGrade(score: number): Exclude<Grade, '?'> {
  return GRADE_THRESHOLDS.find(([, minimum]) => score >= minimum)?.[0] ?? 'F';
}
