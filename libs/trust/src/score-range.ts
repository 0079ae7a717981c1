import { applyCaps } from './caps.ts';
import { computeWeightedMean } from './components/components.ts';
import { CURVES, evaluateCurve } from './components/curves.ts';
import { computeUptimeShare, countChallenges } from './endpoint-state.ts';
import { roundHalfUp } from './numbers/rounding.ts';
import { computeWilsonInterval, type Interval } from './numbers/wilson.ts';
import type { Cap, ComponentScore, ScoreInputs } from './types.ts';

/**
 * Computes the lowest and highest score that are compatible with the observations. The caps of the score limit both.
 * Uptime and compliance vary within their 95 % Wilson intervals. An unmeasured component varies from 0 to 1 with its
 * full weight. All other component values count as exact.
 */
export function computeScoreRange(
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
