import { roundHalfUp } from '../../numbers/rounding.ts';
import { computeWilsonInterval, type Interval } from '../../numbers/wilson.ts';
import { applyCaps, findCaps } from './caps.ts';
import { computeWeightedMean, hasProbeMeasurement, measureComponents } from './components.ts';
import { computeConfidence } from './confidence.ts';
import { CURVES, evaluateCurve } from './curves.ts';
import { computeUptimeShare, countChallenges } from './endpoint-state.ts';
import { detectFlags } from './flags.ts';
import { projectScore } from './projection.ts';
import { recommend, toGrade } from './recommendation.ts';
import type { Cap, ComponentScore, ScoreInputs, Verdict } from './types.ts';

/**
 * Scores an endpoint from its observations. The same inputs give the same verdict to the last digit.
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
  const { recommendation, reasons } = recommend({ inputs, isJudged, score: point, confidence, flags });
  const isGraded = isJudged && recommendation !== 'free' && recommendation !== 'unverified';
  const { low, high } = computeScoreRange(inputs, components, caps);
  return {
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

/**
 * Computes the lowest and highest score that are compatible with the observations. The caps of the score limit both.
 * Uptime and compliance vary within their 95 % Wilson intervals. An unmeasured component varies from 0 to 1 with its
 * full weight. All other component values count as exact.
 */
function computeScoreRange(
  inputs: ScoreInputs,
  components: readonly ComponentScore[],
  caps: readonly Cap[],
): Interval {
  const at = (bound: keyof Interval): number => {
    const values = components.map((score) => ({
      weight: score.weight,
      value: toBoundValue(inputs, score, bound),
    }));
    return roundHalfUp(applyCaps(computeWeightedMean(values), caps), 1);
  };
  return { low: at('low'), high: at('high') };
}

function toBoundValue(
  inputs: ScoreInputs,
  { component, value }: ComponentScore,
  bound: keyof Interval,
): number {
  if (value === null) return bound === 'low' ? 0 : 1;
  if (component === 'uptime') {
    const interval = computeWilsonInterval(computeUptimeShare(inputs) ?? 0, inputs.probes.scored);
    return evaluateCurve(CURVES.uptime, interval[bound]);
  }
  return component === 'compliance' ? computeWilsonInterval(value, countChallenges(inputs))[bound] : value;
}
