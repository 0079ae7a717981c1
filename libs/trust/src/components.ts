import { challengeCount } from './facts.ts';
import {
  measureActivity,
  measureAge,
  measureCompliance,
  measureLatency,
  measureStability,
  measureUptime,
  uptimeShare,
} from './measures.ts';
import { roundHalfUp } from './rounding.ts';
import { ageMs, DAY_MS } from './time.ts';
import type { Component, ComponentScore, ScoreInputs } from './types.ts';

/** Weight of each component; they add up to 100. */
export const WEIGHTS: Readonly<Record<Component, number>> = {
  uptime: 30,
  compliance: 25,
  stability: 15,
  activity: 15,
  age: 10,
  latency: 5,
};

interface ComponentRule {
  readonly component: Component;
  /** 0..1, or null where it could not be measured. */
  readonly measure: (inputs: ScoreInputs) => number | null;
  /** One sentence on what was measured; only asked when something was. */
  readonly explain: (inputs: ScoreInputs) => string;
  readonly unmeasured: string;
}

const COMPONENTS: readonly ComponentRule[] = [
  {
    component: 'uptime',
    measure: measureUptime,
    explain: (inputs) =>
      `Up in ${String(inputs.probes.up)} of ${String(inputs.probes.scored)} scored probes (${percent(uptimeShare(inputs) ?? 0)}).`,
    unmeasured: 'No probe of the last 30 days counts in uptime.',
  },
  {
    component: 'compliance',
    measure: measureCompliance,
    explain: (inputs) =>
      `Of ${String(challengeCount(inputs))} challenges ${String(inputs.envelopes.pass)} passed every check, ` +
      `${String(inputs.envelopes.warnings)} had warnings, ${String(inputs.envelopes.errors)} errors, ` +
      `and ${String(inputs.envelopes.unpayable)} could not be paid.`,
    unmeasured: 'No payment challenge was seen in the last 30 days.',
  },
  {
    component: 'stability',
    measure: measureStability,
    explain: ({ changes, templated }) =>
      templated
        ? 'A template: price and payTo may vary, only changes of asset and network count.'
        : `The advertised terms changed ${String(changes.length)} times in 30 days.`,
    unmeasured: 'No payment terms were ever advertised.',
  },
  {
    component: 'activity',
    measure: measureActivity,
    explain: ({ settlement }) =>
      `${(settlement?.volumeUsd30d ?? 0).toFixed(2)} US dollars from ${String(settlement?.payers30d ?? 0)} payers settled in 30 days, ` +
      `the largest of them with ${percent(settlement?.topPayerShare ?? 0)}.`,
    unmeasured: 'Settlements on the advertised network could not be read.',
  },
  {
    component: 'age',
    measure: measureAge,
    explain: ({ now, firstSeen }) =>
      `First seen ${String(Math.floor(ageMs(now, firstSeen) / DAY_MS))} days ago.`,
    unmeasured: '',
  },
  {
    component: 'latency',
    measure: measureLatency,
    explain: ({ latency }) =>
      `First byte after ${String(latency?.p50 ?? 0)} ms in half and ${String(latency?.p95 ?? 0)} ms in 95 of 100 answers.`,
    unmeasured: 'No answer was timed in the last 30 days.',
  },
];

/**
 * The six components, with the points each contributes to the score before caps. What could not be measured
 * leaves the weighting: the points of the others grow in proportion, their values and weights stay.
 */
export function measureComponents(inputs: ScoreInputs): ComponentScore[] {
  const measured = COMPONENTS.map(({ component, measure, explain, unmeasured }) => {
    const value = settle(measure(inputs));
    const explanation = value === null ? unmeasured : explain(inputs);
    return { component, value, weight: WEIGHTS[component], explanation };
  });
  const total = measured.reduce((sum, { value, weight }) => sum + (value === null ? 0 : weight), 0);
  return measured.map((score) => ({
    ...score,
    points: score.value === null ? 0 : roundHalfUp((100 * score.weight * score.value) / total, 2),
  }));
}

/** Score before caps: 100 × Σ weight·value / Σ weight over what was measured. Age always is. */
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

/** Nine decimals of a value are kept, so that what is published is what was computed with, on every machine. */
function settle(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(9));
}

function percent(share: number): string {
  return `${String(roundHalfUp(share * 100, 1))} %`;
}
