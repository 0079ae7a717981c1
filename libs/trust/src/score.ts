import { applyCaps, findCaps } from './caps.ts';
import { computeWeightedMean, hasProbeMeasurement, measureComponents } from './components/components.ts';
import { computeConfidence } from './confidence.ts';
import { detectFlags } from './flags/flags.ts';
import { roundHalfUp } from './numbers/rounding.ts';
import { projectScore } from './projection.ts';
import { toGrade } from './recommendation/grade.ts';
import { recommend } from './recommendation/recommendation.ts';
import { computeScoreRange } from './score-range.ts';
import type { ScoreInputs, Verdict } from './types.ts';
import { SCORING_VERSION } from './versions.ts';

/**
 * Scores an endpoint from its observations. The function is pure and receives the current time as an input. The same
 * inputs therefore give the same verdict to the last digit, on any machine and at any time.
 *
 * The score is `100 × Σ weight·value / Σ weight` over the measured components, lowered to the smallest cap that applies
 * and rounded half up to one decimal. If no component was measured, the score is 0. Grade and recommendation are based
 * on the rounded score.
 *
 * @param inputs counts of the last 30 days, the current state and the current time
 */
export function score(inputs: ScoreInputs): Verdict {
  const components = measureComponents(inputs);
  const caps = findCaps(inputs);
  const point = roundHalfUp(applyCaps(computeWeightedMean(components), caps), 1);
  const confidenceDetail = computeConfidence(inputs);
  const confidence = confidenceDetail.overall;
  const flags = detectFlags({ inputs, confidence });
  const isJudged = hasProbeMeasurement(components);
  const { recommendation, reasons } = recommend({
    inputs,
    isJudged,
    score: point,
    confidence,
    flags,
    components,
    caps,
  });
  const isGraded = isJudged && recommendation !== 'free' && recommendation !== 'unverified';
  const { low, high } = computeScoreRange(inputs, components, caps);
  return {
    scoringVersion: SCORING_VERSION,
    score: point,
    scoreRange: { low, point, high },
    grade: isGraded ? toGrade(point) : '?',
    recommendation,
    reasons,
    confidence,
    confidenceDetail,
    components,
    caps,
    flags,
    projection: projectScore(inputs),
  };
}
