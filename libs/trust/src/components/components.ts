import { roundHalfUp } from '../numbers.ts';
import type { ComponentScore, ScoreInputs } from '../types.ts';
import type { ComponentRow, ComponentRule, Measured } from './component-rule.ts';
import { MARKET_COMPONENTS } from './market-components.ts';
import { SERVICE_COMPONENTS } from './service-components.ts';

/** Scoring rules of all components, in the published order. */
const RULES: readonly ComponentRule[] = [
  SERVICE_COMPONENTS.uptime,
  SERVICE_COMPONENTS.compliance,
  MARKET_COMPONENTS.stability,
  MARKET_COMPONENTS.activity,
  MARKET_COMPONENTS.age,
  SERVICE_COMPONENTS.latency,
];

/** Published descriptions of all components. Scoring uses the same objects, so description and score always agree. */
export const COMPONENTS: readonly ComponentRow[] = RULES;

/**
 * Measures the six components, and computes how many points each contributes to the score before caps. Unmeasured
 * components are left out of the weighted mean, so the points of the other components grow in proportion. The values
 * and weights of the others do not change.
 */
export function measureComponents(inputs: ScoreInputs): ComponentScore[] {
  const rows = measureRules(inputs);
  const total = rows.reduce((sum, { weight, measured }) => sum + (measured.value === null ? 0 : weight), 0);
  return rows.map(({ component, weight, measured: { inputs: figures, value, explain } }) => ({
    component,
    weight,
    inputs: figures,
    value,
    points: value === null ? 0 : roundHalfUp((100 * weight * value) / total, 2),
    explanation: explain(),
  }));
}

/**
 * Measures only the values and weights of the components. The projection uses this function, because it needs no
 * explanations.
 */
export function measureComponentValues(inputs: ScoreInputs): Pick<ComponentScore, 'value' | 'weight'>[] {
  return measureRules(inputs).map(({ weight, measured: { value } }) => ({ weight, value }));
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

interface MeasuredRow extends Pick<ComponentScore, 'component' | 'weight'> {
  readonly measured: Measured;
}

/**
 * Measures all components. If no other component was measured, age becomes unmeasured too, because age alone proves
 * nothing.
 */
function measureRules(inputs: ScoreInputs): MeasuredRow[] {
  const rows = RULES.map(({ component, weight, unmeasured, measure }) => ({
    component,
    weight,
    unmeasured,
    measured: measure(inputs),
  }));
  if (rows.some(({ component, measured }) => component !== 'age' && measured.value !== null)) return rows;
  return rows.map(({ component, weight, unmeasured, measured }) => ({
    component,
    weight,
    measured: component === 'age' ? { ...measured, value: null, explain: () => unmeasured } : measured,
  }));
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
