import type { Grade, Recommendation } from '@touchstone/contract';
import { formatPoints } from '../../terminal/format-figures.ts';
import type { Paint } from '../../terminal/paint.ts';

type Color = 'green' | 'yellow' | 'red' | 'blue';

/** Colors of grades on a terminal. */
export const GRADE_COLORS: Readonly<Record<Grade, Color>> = {
  A: 'green',
  B: 'green',
  C: 'yellow',
  D: 'yellow',
  F: 'red',
  '?': 'blue',
};
/** Colors of recommendations on a terminal. */
export const RECOMMENDATION_COLORS: Readonly<Record<Recommendation, Color>> = {
  proceed: 'green',
  free: 'green',
  caution: 'yellow',
  parameterize: 'yellow',
  unverified: 'yellow',
  avoid: 'red',
};

/** Figures of a verdict. Null for a figure that is unknown, and no recommendation where there is never one. */
export interface Verdict {
  readonly grade: Grade | null;
  readonly score: number | null;
  readonly recommendation?: Recommendation | null;
}

/** Formats a verdict in one line of at most 40 columns: `Grade A   89.0 of 100   PROCEED`, or `Not scored`. */
export function formatVerdictLine({ grade, score, recommendation }: Verdict, paint: Paint): string {
  const parts = [
    ...(grade === null ? [] : [paint(['bold', GRADE_COLORS[grade]], `Grade ${grade}`)]),
    score === null ? paint('blue', 'Not scored') : `${paint('bold', formatPoints(score))} of 100`,
    ...(recommendation ? [formatRecommendation(recommendation, paint)] : []),
  ];
  return parts.join('   ');
}

function formatRecommendation(recommendation: Recommendation, paint: Paint): string {
  return paint(['bold', RECOMMENDATION_COLORS[recommendation]], recommendation.toUpperCase());
}
