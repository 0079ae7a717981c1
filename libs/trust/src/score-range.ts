import { lower } from './caps.ts';
import { weightedMean } from './components/components.ts';
import { valueAt } from './components/curve.ts';
import { CURVES } from './components/curves.ts';
import { challengeCount, uptimeShare } from './endpoint-state.ts';
import { roundHalfUp } from './numbers/rounding.ts';
import type { Cap, ComponentScore, ScoreInputs } from './types.ts';
import { wilsonInterval, type Interval } from './numbers/wilson.ts';

/**
 * The lowest and the highest score that the observations allow: uptime and compliance at the bounds of their
 * 95 % Wilson intervals, what was not measured at 0 and at 1 with its full weight, everything else as it is,
 * under the same caps.
 */
export function scoreRange(
  inputs: ScoreInputs,
  components: readonly ComponentScore[],
  caps: readonly Cap[],
): Interval {
  const at = (bound: keyof Interval): number => {
    const values = components.map((score) => ({
      weight: score.weight,
      value: boundOf(inputs, score, bound),
    }));
    return roundHalfUp(lower(weightedMean(values), caps), 1);
  };
  return { low: at('low'), high: at('high') };
}

function boundOf(inputs: ScoreInputs, { component, value }: ComponentScore, bound: keyof Interval): number {
  if (value === null) return bound === 'low' ? 0 : 1;
  if (component === 'uptime') {
    const interval = wilsonInterval(uptimeShare(inputs) ?? 0, inputs.probes.scored);
    return valueAt(CURVES.uptime, interval[bound]);
  }
  return component === 'compliance' ? wilsonInterval(value, challengeCount(inputs))[bound] : value;
}
