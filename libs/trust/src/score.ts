import { capsOf, lower } from './caps.ts';
import { isAssessed, measureComponents, weightedMean } from './components/components.ts';
import { confidenceOf } from './confidence.ts';
import { flagsOf } from './flags/flags.ts';
import { gradeOf } from './recommendation/grade.ts';
import { project } from './projection.ts';
import { scoreRange } from './score-range.ts';
import { recommend } from './recommendation/recommendation.ts';
import { roundHalfUp } from './numbers/rounding.ts';
import type { ScoreInputs, Verdict } from './types.ts';
import { SCORING_VERSION } from './versions.ts';

/**
 * Scores an endpoint from what was observed of it. A pure function of its inputs, time included: the same
 * inputs give the same verdict to the last digit, on any machine, at any time.
 *
 * The score is `100 × Σ weight·value / Σ weight` over the components that could be measured, lowered to the
 * smallest cap that applies, with one decimal, halves up; 0 where nothing was measured. Grade and recommendation read
 * the rounded score.
 *
 * @param inputs counts of the last 30 days, the present state and the present time
 */
export function score(inputs: ScoreInputs): Verdict {
  const components = measureComponents(inputs);
  const caps = capsOf(inputs);
  const point = roundHalfUp(lower(weightedMean(components), caps), 1);
  const confidenceDetail = confidenceOf(inputs);
  const confidence = confidenceDetail.overall;
  const flags = flagsOf({ inputs, confidence });
  const isJudged = isAssessed(components);
  const { recommendation, reasons } = recommend({ inputs, isJudged, score: point, confidence, flags });
  const isGraded = isJudged && recommendation !== 'free' && recommendation !== 'unverified';
  const { low, high } = scoreRange(inputs, components, caps);
  return {
    scoringVersion: SCORING_VERSION,
    score: point,
    scoreRange: { low, point, high },
    grade: isGraded ? gradeOf(point) : '?',
    recommendation,
    reasons,
    confidence,
    confidenceDetail,
    components,
    caps,
    flags,
    projection: project(inputs),
  };
}
