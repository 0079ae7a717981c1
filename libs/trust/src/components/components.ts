import { roundHalfUp } from '../numbers.ts';
import type { ComponentScore, ScoreInputs } from '../types.ts';
import type { ComponentRule } from './component-rule.ts';
import { MARKET_COMPONENTS } from './market-components.ts';
import { SERVICE_COMPONENTS } from './service-components.ts';

/** Scoring rules of all components with their published descriptions, in the published order. */
export const COMPONENTS: readonly ComponentRule[] = [
  SERVICE_COMPONENTS.uptime,
  SERVICE_COMPONENTS.compliance,
  MARKET_COMPONENTS.stability,
  MARKET_COMPONENTS.activity,
  MARKET_COMPONENTS.age,
  SERVICE_COMPONENTS.latency,
];

/**
 * Measures the six components, and computes how many points each contributes to the score before caps. Unmeasured
 * components are left out of the weighted mean, so the points of the other components grow in proportion. The values
 * and weights of these components do not change. Age alone proves nothing, so age is unmeasured if no other component
 * was measured.
 */
export function measureComponents(inputs: ScoreInputs): ComponentScore[] {
  const measured = COMPONENTS.map(({ component, weight, unmeasured, measure }) => ({
    ...{ component, weight, unmeasured },
    ...measure(inputs),
  }));
  const isAgeAlone = !measured.some(({ component, value }) => component !== 'age' && value !== null);
  const total = measured.reduce((sum, { weight, value }) => sum + (value === null ? 0 : weight), 0);
  return measured.map(({ unmeasured, ...score }) => {
    if (isAgeAlone && score.component === 'age')
      return { ...score, value: null, points: 0, explanation: unmeasured };
    const { weight, value } = score;
    return { ...score, points: value === null ? 0 : roundHalfUp((100 * weight * value) / total, 2) };
  });
}

/**
 * Returns true if probes measured at least one component. Otherwise the endpoint gets no grade. Activity and age are
 * ignored, because both are known without a probe.
 */
export function hasProbeMeasurement(
  components: readonly Pick<ComponentScore, 'component' | 'value'>[],
): boolean {
  return components.some(
    ({ component, value }) => value !== null && component !== 'activity' && component !== 'age',
  );
}

/**
 * Computes the score before caps: 100 × Σ weight·value / Σ weight over the measured components. Returns 0 if no
 * component was measured.
 */
export function computeWeightedMean(components: readonly Pick<ComponentScore, 'value' | 'weight'>[]): number {
  let sum = 0;
  let weights = 0;
  for (const { value, weight } of components) {
    if (value === null) continue;
    sum += weight * value;
    weights += weight;
  }
  return weights === 0 ? 0 : (100 * sum) / weights;
}
