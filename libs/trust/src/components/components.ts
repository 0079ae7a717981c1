import type { ComponentRow, ComponentRule, Measured } from './component-rule.ts';
import { MARKET_COMPONENTS } from './market-components.ts';
import { SERVICE_COMPONENTS } from './service-components.ts';
import { roundHalfUp } from '../numbers/rounding.ts';
import type { ComponentScore, ScoreInputs } from '../types.ts';

/** In the order in which they are published, heaviest first. */
const RULES: readonly ComponentRule[] = [
  SERVICE_COMPONENTS.uptime,
  SERVICE_COMPONENTS.compliance,
  MARKET_COMPONENTS.stability,
  MARKET_COMPONENTS.activity,
  MARKET_COMPONENTS.age,
  SERVICE_COMPONENTS.latency,
];

/** The components as they are published: the very rows that the score is computed with. */
export const COMPONENTS: readonly ComponentRow[] = RULES;

/**
 * The six components, with the points each contributes to the score before caps. What could not be measured
 * leaves the weighting: the points of the others grow in proportion, their values and weights stay.
 */
export function measureComponents(inputs: ScoreInputs): ComponentScore[] {
  const rows = measureAll(inputs);
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

/** The values of the components alone, for a score that needs no explanation. */
export function componentValues(inputs: ScoreInputs): Pick<ComponentScore, 'value' | 'weight'>[] {
  return measureAll(inputs).map(({ weight, measured: { value } }) => ({ weight, value }));
}

/**
 * True when a probe measured anything, so that there is a score to grade and to judge by: that a wallet is paid, or is
 * not, says nothing of an endpoint that nobody could look at.
 */
export function isAssessed(components: readonly Pick<ComponentScore, 'component' | 'value'>[]): boolean {
  return components.some(
    ({ component, value }) => value !== null && component !== 'activity' && component !== 'age',
  );
}

interface MeasuredRow extends Pick<ComponentScore, 'component' | 'weight'> {
  readonly measured: Measured;
}

/** Having been known for long says nothing of what nobody looked at, so age counts beside another component only. */
function measureAll(inputs: ScoreInputs): MeasuredRow[] {
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

/** Score before caps: 100 × Σ weight·value / Σ weight over what was measured; 0 where nothing was. */
export function weightedMean(components: readonly Pick<ComponentScore, 'value' | 'weight'>[]): number {
  let sum = 0;
  let weights = 0;
  for (const { value, weight } of components) {
    if (value === null) continue;
    sum += weight * value;
    weights += weight;
  }
  return weights === 0 ? 0 : (100 * sum) / weights;
}
